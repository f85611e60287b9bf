package records

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimEnv); dir != "" {
		fmt.Fprintln(os.Stderr, victimMain(dir))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}
