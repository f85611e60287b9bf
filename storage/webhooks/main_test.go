package webhooks

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(hostEnv); dir != "" {
		fmt.Fprintln(os.Stderr, hostMain(dir))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}
