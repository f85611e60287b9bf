package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs"
)

// What a run has found is printed also where it ended before it was done, and the
// error stays one.
func TestPrintResult(t *testing.T) {
	late := &runs.Cause{Code: runs.CauseTimedOut, Message: "it took too long"}
	for name, c := range map[string]struct {
		run       runs.Run
		out, fail string
	}{
		"done":            {runs.Run{Status: runs.Completed, Result: json.RawMessage(`1`)}, "1\n", ""},
		"done, no result": {runs.Run{Status: runs.Completed}, "null\n", ""},
		"a part":          {runs.Run{Status: runs.TimedOut, Cause: late, Result: json.RawMessage(`[1]`)}, "[\n  1\n]\n", "the run is TIMED_OUT: " + late.String()},
		"nothing":         {runs.Run{Status: runs.TimedOut, Cause: late}, "", "the run is TIMED_OUT: " + late.String()},
		"stopped":         {runs.Run{Status: runs.Stopped}, "", "the run is STOPPED"},
	} {
		var out strings.Builder
		err := printResult(&out, c.run)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if out.String() != c.out || got != c.fail {
			t.Errorf("%s: %q, %q", name, out.String(), got)
		}
	}
}
