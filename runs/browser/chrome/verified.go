package chrome

func (t *tab) disguise() error { return nil }
