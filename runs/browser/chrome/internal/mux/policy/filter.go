package policy

// A TargetFilter says of which types of targets a client wants to hear. The
// first entry that names the type, or none, decides; without one, it does not.
type TargetFilter []struct {
	Type    string `json:"type"`
	Exclude bool   `json:"exclude"`
}

// Match reports whether targets of the type are wanted. Without a filter, all
// are but tabs and the browser.
func (f TargetFilter) Match(kind string) bool {
	if len(f) == 0 {
		return kind != "tab" && kind != "browser"
	}
	for _, entry := range f {
		if entry.Type == "" || entry.Type == kind {
			return !entry.Exclude
		}
	}
	return false
}
