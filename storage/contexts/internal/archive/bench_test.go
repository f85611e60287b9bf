package archive

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// profile makes a folder as large as a profile, of files as they are in one:
// a third text that can be compressed, the rest not.
func profile(b *testing.B, mebibytes int) string {
	b.Helper()
	dir := b.TempDir()
	for i := range mebibytes {
		content := random(1 << 20)
		if i%3 == 0 {
			content = strings.Repeat("https://example.com/a/path?and=query ", 1<<20/37)
		}
		path := filepath.Join(dir, "Default", fmt.Sprintf("IndexedDB-%d", i%20), fmt.Sprintf("%06d.ldb", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// BenchmarkProfiles packs and unpacks a folder in turns with plain tar, to and
// from memory, so that it is the work that is compared and not the disk.
func BenchmarkProfiles(b *testing.B) {
	for _, size := range []int{20, 200} {
		dir := profile(b, size)
		b.Run(fmt.Sprintf("%dMiB/pack", size), func(b *testing.B) {
			var packed, plain bytes.Buffer
			inTurns(b, size, func() error {
				packed.Reset()
				_, err := Pack(b.Context(), &packed, dir, &pair().PublicKey, "c1", roomy)
				return err
			}, func() error {
				plain.Reset()
				_, err := PackPlain(b.Context(), tar.NewWriter(&plain), dir, roomy)
				return err
			})
			b.ReportMetric(float64(packed.Len())/float64(plain.Len()), "size/tar")
		})
		b.Run(fmt.Sprintf("%dMiB/unpack", size), func(b *testing.B) {
			var packed, plain bytes.Buffer
			if _, err := Pack(b.Context(), &packed, dir, &pair().PublicKey, "c1", roomy); err != nil {
				b.Fatal(err)
			}
			if _, err := PackPlain(b.Context(), tar.NewWriter(&plain), dir, roomy); err != nil {
				b.Fatal(err)
			}
			inTurns(b, size, func() error {
				_, err := Unpack(b.Context(), bytes.NewReader(packed.Bytes()), int64(packed.Len()), fresh(b), pair(), "c1", roomy)
				return err
			}, func() error {
				_, err := UnpackPlain(b.Context(), tar.NewReader(bytes.NewReader(plain.Bytes())), fresh(b), roomy)
				return err
			})
		})
	}
}

// fresh is an empty folder in the one of the benchmark, for one round.
func fresh(b *testing.B) string {
	dir, err := os.MkdirTemp("", "drover-bench-*")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// inTurns reports the time of ours, its speed, and the ratio of its speed to
// theirs.
func inTurns(b *testing.B, mebibytes int, ours, theirs func() error) {
	var we, they time.Duration
	timed := func(sum *time.Duration, do func() error) {
		start := time.Now()
		if err := do(); err != nil {
			b.Fatal(err)
		}
		*sum += time.Since(start)
	}
	n := 0
	for b.Loop() {
		timed(&we, ours)
		timed(&they, theirs)
		n++
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(we.Milliseconds())/float64(n), "ms")
	b.ReportMetric(float64(mebibytes)*float64(n)/we.Seconds(), "MiB/s")
	b.ReportMetric(they.Seconds()/we.Seconds(), "of-tar")
}
