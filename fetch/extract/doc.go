// Package extract finds out what a page says, and fills a JSON Schema with it.
// No model is asked.
//
// A page says things in many forms: JSON-LD, Microdata, RDFa, microformats,
// meta elements, the state of its scripts, and what people see of it. All of
// them are read into one graph (internal/graph), by a reader for each form
// (internal/scripts and its neighbours, brought together by internal/read), and
// what is asked of the page is answered from the graph. Lists that people see and no
// name leads to are told by what they look like (internal/candidates). Nothing is
// invented: each value stands somewhere on the page.
//
// A page is parsed once and its tree is shared; nothing here changes it. The
// time taken is linear in the size of the page, counted in steps and bounded.
package extract
