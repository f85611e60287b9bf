package model

// Caps are what a language model can do. A provider knows them from its own
// rules, from the model's name, and from what refused requests have taught; a
// host may overrule all of it.
type Caps struct {
	// Tools says that tools are called by the provider's own protocol. Else they
	// stand in the system prompt, and calls are read from the text.
	Tools bool
	// ForcedTool says that the model can be made to call one tool.
	ForcedTool bool
	// ParallelTools says that several calls in one answer are allowed.
	ParallelTools bool
	// StrictTools says that the provider can be told to keep to the schemas of
	// tools.
	StrictTools bool
	// Images says that the model sees; ImagesInResults, that an image can stand
	// in a tool's result. Else it stands in a message behind the results.
	Images, ImagesInResults bool
	// MaxImages is how many images a request may have, MaxImageEdge the longest
	// edge in pixels that is not made smaller by the provider. 0 says nothing.
	MaxImages, MaxImageEdge int
	// Coordinates is how the model names a point of an image.
	Coordinates Coordinates
	// Temperature says that the sampling can be set.
	Temperature bool
	// Reasoning says that the model reasons before it answers.
	Reasoning bool
	// CacheMarks says that what a cache is to hold has to be marked.
	CacheMarks bool
	// WholeTranscript says that every message has to be shown as it was. Else old
	// observations are shortened, to save tokens.
	WholeTranscript bool
	// ContextTokens is how long a conversation may be, OutputTokens an answer.
	// 0 says nothing.
	ContextTokens, OutputTokens int
}

// Coordinates is how a model names a point of an image.
type Coordinates string

// The ways.
const (
	Pixels   Coordinates = "pixels" // of the image as it was sent
	Thousand Coordinates = "1000"   // thousandths of width and height
)

// A Describer is a model that knows what it can do. What it says may change with
// what it learns.
type Describer interface {
	Caps() Caps
}

// CapsOf returns what a model can do; of one that does not say, that it calls
// tools, several at once.
func CapsOf(m Model) Caps {
	if d, ok := m.(Describer); ok {
		return d.Caps()
	}
	return Caps{Tools: true, ParallelTools: true}
}
