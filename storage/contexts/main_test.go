package contexts

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimEnv); dir != "" {
		fmt.Fprintln(os.Stderr, victimMain(dir, os.Getenv(victimEnv+"_AT")))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}
