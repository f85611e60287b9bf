package jobs_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/internal/jobs/jobstest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestMain(m *testing.M) {
	jobstest.Child()
	goleak.VerifyTestMain(m)
}

func TestQueueInMemory(t *testing.T) {
	t.Parallel()
	jobstest.Run(t, func(t *testing.T) *storage.DB { return storagetest.Open(t) })
}

func TestQueueOnFile(t *testing.T) {
	t.Parallel()
	jobstest.Run(t, func(t *testing.T) *storage.DB { return storagetest.OpenFile(t) })
}

var kills = flag.Int("torture.kills", 0, "how often TestTorture kills a process; DROVER_TORTURE is the default")

// TestTorture is the long form of the suite's test with kill -9.
func TestTorture(t *testing.T) {
	t.Parallel()
	n := *kills
	if n == 0 {
		n = testlevel.Rounds(0, 0)
	}
	if n == 0 {
		t.Skip("a long test: -torture.kills=20 or DROVER_TORTURE=20")
	}
	jobstest.Torture(t, storagetest.OpenFile(t), n, 200)
}
