//go:build !linux

package process

import "errors"

// named reports false: here it is not looked how processes are called.
func named(int, string) bool { return false }

// awaitPID cannot wait for a process of somebody else here.
func awaitPID(int, <-chan struct{}) (gone bool, err error) { return false, errors.ErrUnsupported }
