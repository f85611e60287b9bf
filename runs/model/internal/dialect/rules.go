package dialect

// rules are what makes a dialect.
type rules struct {
	strict   bool // the provider can be told to keep to schemas
	closed   bool // every object says additionalProperties: false
	required bool // every property is required
	typed    bool // every schema has a type
	alone    bool // nothing stands beside anyOf
	keep     map[string]bool
	formats  map[string]bool // nil: all
	// maxLevels is how deep objects and arrays may be nested, maxProperties how
	// many properties there may be. 0: any number.
	maxLevels, maxProperties int
}

func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

// The keywords that say what value is meant are taken care of by themselves:
// type, properties, required, additionalProperties, items, anyOf, oneOf, allOf
// and references.
var rulesOf = map[Dialect]*rules{
	Loose: {
		keep: set("title", "enum", "const", "pattern", "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
			"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "default", "examples"),
	},
	OpenAI: {
		strict: true, closed: true, required: true, typed: true, alone: true, maxLevels: 10, maxProperties: 5_000,
		keep:    set("title", "enum", "const", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"),
		formats: set("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"),
	},
	Anthropic: {
		strict: true, closed: true, typed: true, alone: true,
		keep:    set("title", "enum", "const", "pattern", "format", "minItems"),
		formats: set("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"),
	},
	Gemini: {
		alone: true,
		keep: set("title", "enum", "const", "pattern", "format", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems",
			"minProperties", "maxProperties", "default"),
		formats: set("date-time"),
	},
	Mistral: {
		keep: set("title", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
			"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "default"),
	},
}

// silent are keywords that say nothing to a model.
var silent = set("$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$defs", "definitions", "$comment", "$vocabulary",
	"readOnly", "writeOnly", "deprecated", "description")
