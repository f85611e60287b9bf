package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// idleSpan is over how long the idle process is watched.
const idleSpan = time.Minute

// BenchmarkIdle prints which part of a core "drover serve" takes while nobody
// asks for anything and no Chromium runs: alone on its data, and beside a
// second process, when both look for what the other does.
func BenchmarkIdle(b *testing.B) {
	for _, processes := range []int{1, 2} {
		b.Run(fmt.Sprintf("processes=%d", processes), func(b *testing.B) {
			dir := b.TempDir()
			watched := startServer(b, nil, "--data", dir)
			for range processes - 1 {
				startServer(b, nil, "--data", dir)
			}
			if status, _ := watched.get("/healthz", ""); status != 200 {
				b.Fatalf("health: %d", status)
			}
			var used time.Duration
			spans := 0
			for b.Loop() {
				before := cpuTime(b, watched.cmd.Process.Pid)
				<-time.After(idleSpan)
				used += cpuTime(b, watched.cmd.Process.Pid) - before
				spans++
			}
			b.ReportMetric(100*used.Seconds()/(float64(spans)*idleSpan.Seconds()), "%core")
		})
	}
}

// cpuTime is what a process has used, from its stat file: the fields 14 and 15
// count hundredths of a second (proc(5)).
func cpuTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // the name before it may hold spaces
	fields := strings.Fields(rest)
	user, errUser := strconv.Atoi(fields[11])
	system, errSystem := strconv.Atoi(fields[12])
	if errUser != nil || errSystem != nil {
		b.Fatal(errUser, errSystem)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
