package quality

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// corpus returns the gzipped pages of a corpus and its directory. A run
// without it fails: it would prove nothing.
func corpus(t testing.TB, sub string) (files []string, dir string) {
	t.Helper()
	root := os.Getenv("DROVER_CORPORA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "corpora")
	}
	dir = filepath.Join(root, sub)
	files, _ = filepath.Glob(filepath.Join(dir, "html", "*.html.gz"))
	if len(files) == 0 {
		t.Fatalf("there is no corpus %q below %q: DROVER_CORPORA names the directory of the corpora", sub, root)
	}
	slices.Sort(files)
	return files, dir
}

func readGzip(t testing.TB, name string) string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// inParallel calls do for 0 to n-1 on both processors.
func inParallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range 2 {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}
