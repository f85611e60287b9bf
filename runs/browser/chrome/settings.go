package chrome

// applySettings brings the session's settings to a tab.
func (t *tab) applySettings() error {
	if err := intercept(t.life, t.target, false); err != nil {
		return err
	}
	if err := t.disguise(); err != nil {
		return err
	}
	return t.listenToConsole(t.life)
}
