package records

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/storage/storagetest"
)

// memoryStorage is a process with the reference's storage of datasets.
type memoryStorage struct {
	in  *json.Encoder
	out *json.Decoder
}

func openMemoryStorage(b *testing.B) memoryStorage {
	cmd := exec.CommandContext(b.Context(), "node", "dataset.js")
	cmd.Dir, cmd.Stderr = npmtest.Dir(b, "npm"), os.Stderr
	in, out := must(cmd.StdinPipe())(b), must(cmd.StdoutPipe())(b)
	done(b, cmd.Start())
	b.Cleanup(func() { in.Close(); cmd.Wait() })
	return memoryStorage{json.NewEncoder(in), json.NewDecoder(out)}
}

// took are the seconds of both, and the bytes that were listed.
type took struct {
	Push, List float64
	Bytes      int
}

// moves has the storage push items and list them. In a directory it keeps a file of each,
// as it does unless it is told not to.
func (m memoryStorage) moves(b *testing.B, items []byte, times int, directory string) (t took) {
	done(b, m.in.Encode(map[string]any{"items": json.RawMessage(items), "times": times, "directory": directory}))
	done(b, m.out.Decode(&t))
	return t
}

// moves is the same here.
func (w *world) moves(b *testing.B, items []byte, n, times int) (t took) {
	id := w.make(b, Dataset, "")
	from := time.Now()
	for range times {
		done(b, w.Push(b.Context(), id, items))
	}
	t.Push = time.Since(from).Seconds()
	from = time.Now()
	var size counter
	for i := range times {
		done(b, must(w.Items(b.Context(), id, ItemsQuery{Offset: int64(i * n), Limit: int64(n)}))(b).Write(b.Context(), &size, Output{}))
	}
	t.List, t.Bytes = time.Since(from).Seconds(), int(size)
	return t
}

type counter int

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// BenchmarkBesideMemoryStorage pushes and lists the same items on a database in a file,
// and on the memory storage of the reference client, in memory and with its files.
func BenchmarkBesideMemoryStorage(b *testing.B) {
	m := openMemoryStorage(b)
	for _, size := range []struct{ items, times int }{{1, 200}, {100, 40}, {1000, 10}} {
		b.Run(fmt.Sprintf("%d items", size.items), func(b *testing.B) {
			w, items := open(b, Config{DB: storagetest.OpenFile(b)}), products(size.items)
			var here, memory, files took
			for b.Loop() {
				here.add(w.moves(b, items, size.items, size.times))
				memory.add(m.moves(b, items, size.times, ""))
				files.add(m.moves(b, items, size.times, b.TempDir()))
			}
			if here.Bytes < memory.Bytes*9/10 || memory.Bytes != files.Bytes {
				b.Fatal(here, memory, files)
			}
			mb := float64(len(items)*size.times*b.N) / 1e6
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(mb/here.Push, "push-MB/s")
			b.ReportMetric(mb/here.List, "list-MB/s")
			b.ReportMetric(memory.Push/here.Push, "push/memory")
			b.ReportMetric(memory.List/here.List, "list/memory")
			b.ReportMetric(files.Push/here.Push, "push/files")
			b.ReportMetric(files.List/here.List, "list/files")
		})
	}
}

func (t *took) add(o took) { t.Push, t.List, t.Bytes = t.Push+o.Push, t.List+o.List, t.Bytes+o.Bytes }
