//go:build !linux

package chrome

func machineMemory() int64 { return 0 }
