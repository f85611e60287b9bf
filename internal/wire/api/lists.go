package api

// Each is what becomes of every element. It is never nil: an empty list is [] on
// the wire.
func Each[T, J any](all []T, out func(T) J) []J {
	list := make([]J, len(all))
	for i, v := range all {
		list[i] = out(v)
	}
	return list
}

// OrNull is null for an empty text.
func OrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
