package mention

// SaysFree reports whether a text says that one pays nothing, and nothing else:
// "Free", "Eintritt frei".
func SaysFree(text string) bool { return len(text) < maxFree && answers()[Key(text)] == "free" }

// maxFree is how long such a text may be, in bytes.
const maxFree = 40
