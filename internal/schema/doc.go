// Package schema compiles JSON Schemas that strangers send, checks values
// against them, and infers schemas from Go types. Everything else in Drover
// that knows a schema knows it from here.
//
// The work is done by github.com/santhosh-tekuri/jsonschema/v6, which passes
// the official test suite of draft 4, 6, 7, 2019-09 and 2020-12. By itself it
// would read files, and a schema of four kilobytes can keep it, as every other
// validator for Go, busy for years. Here neither happens:
//
//   - Nothing is loaded. The library gets a loader that refuses, and references
//     are resolved before it sees them: they lead to a place in the same
//     document, through pointers, anchors and $id, or to a metaschema of the
//     five drafts, which the library contains.
//   - Compiling is bounded by the pre-check (walk.go), which runs first and
//     says where in the schema the trouble is.
//   - Validating is bounded by a count of steps, of which there are
//     [Options.MaxWork]. It ends when they are used up, whatever the schema.
//
// # What may take long, and what is done about it
//
// Reading. A schema has a largest size, depth, number of subschemas, keywords
// and references; the sum of the lengths of all pointers to subschemas is
// limited, because the library builds and compares them. Numbers have at most
// 400 characters and exponents up to ±400: to expand 1e99999999 takes
// minutes. minLength and its like are at most 2^53-1, since beyond an int64
// the library keeps the lower bits. Arrays that a metaschema wants to have
// unique items are arrays of strings, or nearly: the library's test for
// uniqueness is quadratic if hashes collide, and arrays of strings can be made
// to. Regular expressions have at most 4096 bytes, and are measured, with counted
// repetitions multiplied, before Go's engine compiles them. What it cannot
// express is for an engine that goes back (pattern.go). That expands no
// repetition; patterns on which it takes long to compile are refused.
//
// Expanding. A reference that leads back to where it is without going into a
// member or item is refused: no value would ever be checked. So is a schema in
// which some value would have to be checked against more than 100,000
// subschemas, every reference followed (expand.go): thirty definitions that
// each refer twice to the next are 2^30. What a $dynamicRef or $recursiveRef
// may lead to counts with the largest possibility.
//
// Validating. That leaves schemas that are fine for small values and not for
// others: two references in items multiply by two with each level of nesting;
// a thousand alternatives against a hundred thousand items; a slow regular
// expression against a long text. Whether such a schema is too much depends on
// the value, and an estimate made beforehand would refuse honest recursive
// schemas. So the real work is counted. The library applies a subschema by
// first looking at its "format"; in that place every compiled subschema gets a
// check of ours (check.go), which takes the steps off the meter that the
// library is going to need: one for each subschema and member, more for the
// length of texts and numbers, for regular expressions, for deep nesting. The
// library cannot be cancelled, so an empty meter panics, and the panic is
// caught where the validation began (meter.go). Keywords whose cost the
// library leaves open are done by the check itself: type, const, enum,
// uniqueItems, propertyNames and format.
//
// A step takes up to a fifth of a microsecond; the default million is a
// quarter of a second at the very worst, about what 200,000 items with a simple
// schema need. A pattern of the engine that goes back is stopped after a quarter
// of a second, or when it has a million places to go back to (8 MB), and takes a
// step for each microsecond: the default million is a second of it at most, and
// one match more.
//
// Because the meter is part of the compiled schema, a compiled schema serves
// one validation at a time. [Schema] makes another if two come together.
package schema
