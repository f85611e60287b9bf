// Package bench compares Drover with others. It is a module of its own, so that
// what it compares with never enters the build of a user; README.md says how to
// run it.
package bench
