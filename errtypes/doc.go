// Package errtypes is the vocabulary of failure that every Drover package
// shares.
//
// An [Error] has a [Kind] out of a closed set, which is what code acts on; an
// optional [Type], which is the name the job-platform interface (v2) gives the
// failure on the wire; and a Message that was written for the caller. Whatever
// is not an *Error is foreign: its kind is [Internal], its text belongs in the
// log and never in an answer. [Public] draws that line in one place.
//
// The wire types are data: error-types.tsv lists each one with its HTTP status
// and whether it is internal to the hosted service (such a type is never
// sent), and types_gen.go holds the constants made from it.
package errtypes

//go:generate go run ./internal/gentypes error-types.tsv types_gen.go
