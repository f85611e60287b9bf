package main

import "time"

// zoned is a time as people are shown it: in UTC, to the second, with its zone.
func zoned(t time.Time) string { return t.UTC().Format(time.RFC3339) }
