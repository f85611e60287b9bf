package telemetry

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"syscall"
)

// clockTicks is the unit of times in /proc, which is the same on all platforms of
// Linux that Go knows (proc(5)).
const clockTicks = 100

// readSystem reads what Linux says of the process.
func readSystem(r *Report) {
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		r.Value(processFiles, float64(len(files)-1)) // without the one that reads
	}
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		r.Value(processMax, float64(limit.Cur))
	}
	stat := ownStat()
	if len(stat) < 22 {
		return
	}
	r.Value(processCPU, (stat[11]+stat[12])/clockTicks)
	r.Value(processMemory, stat[21]*float64(os.Getpagesize()))
	if boot := bootTime(); boot > 0 {
		r.Value(processStart, boot+stat[19]/clockTicks)
	}
}

// ownStat are the numbers of /proc/self/stat behind the name, from the state
// (field 3), which is none.
func ownStat() []float64 {
	data, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return nil
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	all := make([]float64, len(fields))
	for i, f := range fields {
		all[i], _ = strconv.ParseFloat(string(f), 64)
	}
	return all
}

// bootTime is when the system started, in seconds since 1970; 0 if unknown.
var bootTime = sync.OnceValue(func() float64 {
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(data) {
		if rest, ok := bytes.CutPrefix(line, []byte("btime ")); ok {
			seconds, _ := strconv.ParseFloat(string(bytes.TrimSpace(rest)), 64)
			return seconds
		}
	}
	return 0
})
