package browser

// ExtensionRefused is the cause of an error about an extension that the browser
// does not load.
type ExtensionRefused struct {
	// Reason is what the browser says, in one line of at most some hundred
	// characters, without paths of the machine. Names and values in it are the
	// extension's: untrusted text.
	Reason string
}

// Error returns the reason.
func (e *ExtensionRefused) Error() string { return e.Reason }
