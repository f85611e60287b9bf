// Package names knows when two names mean the same: "Zubereitungszeit",
// "prep_time" and schema.org's prepTime.
//
// A name is brought into a key, its words without case, accents, plural and
// what says nothing. Tables hold the keys that mean one thing, in several
// languages, under the name that schema.org has for it: its concept. What is in
// no table matches only its like; nothing is taken for the sake of a resemblance.
package names
