package plain

// step is one thing to do, as the task says it.
type step struct {
	verb verb
	// sentence is the step in the caller's words.
	sentence string
	// url of an openVerb.
	url string
	// target of what acts on an element.
	target target
	// text to type, choose, search or wait for.
	text string
	// submit presses Enter after typing.
	submit bool
	// choose says that a clickVerb may mean an option of a list.
	choose bool
	// seconds of a waitVerb without text.
	seconds float64
	// want of a readVerb or returnVerb.
	want want
}

// target is how the task names an element.
type target struct {
	// name is what it is called; empty for the obvious one.
	name string
	// exact says that the name was written in quotes.
	exact bool
	// role is a kind of element; empty for any. "field" is whatever takes text.
	role string
	// nth of several of that name; 0 for the best, -1 for the last.
	nth int
	// near is a text that stands beside it, such as the name of its row.
	near string
}

// want is what a task wants to know.
type want struct {
	// labels were written in quotes.
	labels []string
	// phrases are what else it names, in its own words.
	phrases []string
	// row is a text in the row that is meant; empty for all.
	row string
	// title, url, heading, text and table are the things with a name of their own.
	title, url, heading, text, table bool
}

func (w want) empty() bool {
	return len(w.labels)+len(w.phrases) == 0 && !w.title && !w.url && !w.heading && !w.text && !w.table
}
