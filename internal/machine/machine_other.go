//go:build !linux

package machine

// Other systems are not asked yet.

func physicalMemory() int64 { return Unlimited }

func groupLimit() int64 { return Unlimited }

func groupRoom() int64 { return Unlimited }

func ownGroup() (string, bool) { return "", false }
