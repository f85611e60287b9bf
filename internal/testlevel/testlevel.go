// Package testlevel says how much the tests do.
//
// "make test" runs every test that is quick, and samples of what is long.
// "make test-full" sets DROVER_TEST_FULL and leaves nothing out; "make torture"
// sets DROVER_TORTURE to the repetitions of the tests that kill processes.
//
// Go keeps the result of a package's tests as long as the variables that they
// read, and the files of the module that they read, are the same. It knows
// nothing of programs and files elsewhere: [External] stands for those.
package testlevel

import (
	"os"
	"strconv"
	"testing"
	"time"
)

const (
	fullVariable     = "DROVER_TEST_FULL"
	tortureVariable  = "DROVER_TORTURE"
	externalVariable = "DROVER_TEST_VERSIONS"
)

// Full reports whether nothing is left out.
func Full() bool { return os.Getenv(fullVariable) != "" || torture() > 0 }

// Long skips a test that takes long, aloud, unless nothing is left out.
func Long(t testing.TB, why string) {
	t.Helper()
	if !Full() {
		t.Skipf("SKIPPED, A LONG TEST (%s): make test-full runs it", why)
	}
}

// Missing skips a test, aloud, for want of something that it runs. Where nothing
// is left out the test fails: that would be something.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if Full() {
		t.Fatalf("NOTHING IS LEFT OUT, YET THIS TEST NEEDS "+format, args...)
	}
	t.Skipf("SKIPPED, THIS TEST NEEDS "+format, args...)
}

// Of is the size of a sample: quick, or full where nothing is left out.
func Of[T any](quick, full T) T {
	if Full() {
		return full
	}
	return quick
}

// Rounds is how often a test repeats itself that kills processes: as often as
// DROVER_TORTURE says, else as [Of] does.
func Rounds(quick, full int) int {
	if n := torture(); n > 0 {
		return n
	}
	return Of(quick, full)
}

// Torture reports whether tests take the largest form they have.
func Torture() bool { return torture() > 0 }

func torture() int {
	n, err := strconv.Atoi(os.Getenv(tortureVariable))
	if err != nil {
		return 0
	}
	return n
}

// Loaded is how long work of d may take where the machine does much else: a test
// that shows that work ends, and is not done again and again, allows for that.
// How quick something is, benchmarks say.
func Loaded(d time.Duration) time.Duration { return 6 * d }

// External is called by the helper of each test that runs Chromium, Node.js or
// packages of npm, or reads corpora and modules: with what the Makefile puts
// into DROVER_TEST_VERSIONS, their versions, the kept result of the test is of
// no use once one of them is another. It returns that text.
func External() string { return os.Getenv(externalVariable) }
