package browser

// States are what is true of an element beside Disabled and Checked: a set, of
// which each member has a word.
type States uint32

// The states. Those of checking are Checked's, too: what is Selected or Pressed is
// also Checked.
const (
	Selected   States = 1 << iota // of several: a tab, an option, a row
	Pressed                       // a button that stays down
	Mixed                         // a box that is neither checked nor not
	Expanded                      // what it opens is open
	Collapsed                     // what it opens is closed
	Required                      // may not stay empty
	ReadOnly                      // shows a value that cannot be changed
	Invalid                       // its value is refused: see Element.Error
	Multiple                      // takes several of its options
	Focused                       // keys go to it
	Active                        // keys act on it, though another element has the focus
	Current                       // the page, step or date that is shown
	Busy                          // about to change
	HasPopup                      // opens a menu, a list or a dialog
	Modal                         // nothing but what is in it can be used
	Draggable                     // can be dragged
	Ascending                     // sorted so
	Descending                    // sorted so
	Above                         // above or left of what can be seen: scrolled out
	Below                         // below or right of what can be seen
)

var stateWords = []string{
	"selected", "pressed", "mixed", "expanded", "collapsed", "required", "readonly", "invalid", "multiple", "focused",
	"active", "current", "busy", "haspopup", "modal", "draggable", "ascending", "descending", "above", "below",
}

// Outside is what cannot be seen without scrolling.
const Outside = Above | Below

// Has reports whether any of the others is true.
func (s States) Has(other States) bool { return s&other != 0 }

// Words are the words of the states, in a fixed order.
func (s States) Words() (words []string) {
	for i, word := range stateWords {
		if s.Has(1 << i) {
			words = append(words, word)
		}
	}
	return words
}

// StateOf is the state with the word; 0 if there is none.
func StateOf(word string) States {
	for i, w := range stateWords {
		if w == word {
			return 1 << i
		}
	}
	return 0
}

// StateWords are all words that an element's state is told in, Disabled's and
// Checked's, too.
func (e *Element) StateWords() (words []string) {
	if e.Disabled {
		words = append(words, "disabled")
	}
	if e.Checked && !e.States.Has(Selected|Pressed) {
		words = append(words, "checked")
	}
	return append(words, e.States.Words()...)
}

// SetState adds a state by its word; ok is false for a word that is none.
func (e *Element) SetState(word string) (ok bool) {
	switch word {
	case "disabled":
		e.Disabled = true
		return true
	case "checked":
		e.Checked = true
		return true
	}
	s := StateOf(word)
	e.States |= s
	e.Checked = e.Checked || s.Has(Selected|Pressed)
	return s != 0
}

// Scroll is how far something can be scrolled in each direction, in heights and
// widths of what is seen of it, to a tenth.
type Scroll struct{ Above, Below, Left, Right float64 }
