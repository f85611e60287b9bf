package actors

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(hostEnv); dir != "" {
		fmt.Fprintln(os.Stderr, hostMain(dir, os.Getenv(phaseEnv)))
		os.Exit(1)
	}
	if dir := os.Getenv(buildHostEnv); dir != "" {
		fmt.Fprintln(os.Stderr, buildHostMain(dir))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}
