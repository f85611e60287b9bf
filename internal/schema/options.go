package schema

import (
	"cmp"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Draft is a version of JSON Schema.
type Draft uint8

// The drafts that are understood. A schema says which one it is written for
// in $schema; one that does not is read as [Options.Draft].
const (
	Draft202012 Draft = iota
	Draft201909
	Draft7
	Draft6
	Draft4
)

// Options are the limits on schemas and on what is validated with them. The
// zero value of every field stands for its default.
type Options struct {
	// Field is how the caller's users know the schema; messages begin with it
	// ("resultSchema at /properties/a: …"). Default "schema".
	Field string
	// Draft is what a schema without $schema is written for. Default Draft202012.
	Draft Draft
	// AssertFormat makes "format" a rule in every draft. By itself it is one in
	// drafts 4 to 7 and a remark in 2019-09 and 2020-12. Default false.
	AssertFormat bool

	// MaxSize is the largest schema, in bytes. Default 256 KiB.
	MaxSize int
	// MaxDepth is how deep objects and arrays of a schema may be nested. Default 64.
	MaxDepth int
	// MaxSubschemas is the number of subschemas in a schema. Default 4,000.
	MaxSubschemas int
	// MaxKeywords is the number of keywords and of names in lists such as
	// "required", over all subschemas. Default 20,000.
	MaxKeywords int
	// MaxRefs is the number of $ref, $dynamicRef and $recursiveRef. Default 1,000.
	MaxRefs int
	// MaxExpansion is how many subschemas one value may have to be checked
	// against, every reference followed. Default 100,000.
	MaxExpansion int
	// MaxPattern is the size of a regular expression, in steps of its compiled
	// form; all of a schema together may have ten times as many. Default 5,000.
	MaxPattern int

	// MaxValueSize is the largest JSON text that is validated, in bytes.
	// Default 9 MiB (9,437,184), what a request body may have.
	MaxValueSize int
	// MaxValueDepth is how deep a validated value may be nested. Default 128.
	MaxValueDepth int
	// MaxValues is how many values a validated value may consist of. Default 250,000.
	MaxValues int
	// MaxWork is how many steps one validation may take; the package comment
	// says what a step is. Default 1,000,000.
	MaxWork int
}

func (o Options) withDefaults() Options {
	o.Field = cmp.Or(o.Field, "schema")
	o.MaxSize = cmp.Or(o.MaxSize, 256<<10)
	o.MaxDepth = cmp.Or(o.MaxDepth, 64)
	o.MaxSubschemas = cmp.Or(o.MaxSubschemas, 4_000)
	o.MaxKeywords = cmp.Or(o.MaxKeywords, 20_000)
	o.MaxRefs = cmp.Or(o.MaxRefs, 1_000)
	o.MaxExpansion = cmp.Or(o.MaxExpansion, 100_000)
	o.MaxPattern = cmp.Or(o.MaxPattern, 5_000)
	o.MaxValueSize = cmp.Or(o.MaxValueSize, 9<<20)
	o.MaxValueDepth = cmp.Or(o.MaxValueDepth, 128)
	o.MaxValues = cmp.Or(o.MaxValues, 250_000)
	o.MaxWork = cmp.Or(o.MaxWork, 1_000_000)
	return o
}

// The limits that are not options: nothing sensible comes near them.
const (
	maxNumberText     = 400       // characters of a number
	maxExponent       = 400       // its exponent, either way
	maxInteger        = 1<<53 - 1 // minLength, maxItems and their like
	maxIDs            = 100       // subschemas with an $id
	maxPointers       = 1 << 20   // bytes of the JSON Pointers of all subschemas together
	maxOddWork        = 200_000   // references to what is no subschema by position, times subschemas
	maxEnum           = 10_000    // members of one enum
	maxEnumObjects    = 100       // of them, objects and arrays
	maxChain          = 256       // subschemas applied inside each other to one value
	maxPatternText    = 4 << 10   // bytes of a regular expression
	maxPatternReading = 100_000   // microseconds to read all of a schema, by estimate
)

// dialect is a draft as the walk over a schema needs it.
type dialect struct {
	version  int
	id       string // the keyword that names a resource
	uri      string // without fragment
	compiles *jsonschema.Draft
}

var dialects = [...]dialect{
	Draft202012: {2020, "$id", "https://json-schema.org/draft/2020-12/schema", jsonschema.Draft2020},
	Draft201909: {2019, "$id", "https://json-schema.org/draft/2019-09/schema", jsonschema.Draft2019},
	Draft7:      {7, "$id", "http://json-schema.org/draft-07/schema", jsonschema.Draft7},
	Draft6:      {6, "$id", "http://json-schema.org/draft-06/schema", jsonschema.Draft6},
	Draft4:      {4, "id", "http://json-schema.org/draft-04/schema", jsonschema.Draft4},
}
