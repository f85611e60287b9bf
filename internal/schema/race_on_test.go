//go:build race

package schema

// raceDetector makes the hostile cases run with two drafts only: they are a
// single goroutine's work, and ten times as slow.
const raceDetector = true
