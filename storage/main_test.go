package storage_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		childHoldsDatabaseOpen(dir)
		return
	}
	goleak.VerifyTestMain(m)
}
