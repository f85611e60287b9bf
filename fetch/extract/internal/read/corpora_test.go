package read

import (
	"os"
	"path/filepath"
	"testing"
)

// corpora returns the directory of the corpora, which DROVER_CORPORA names, or
// which is beside the repository.
func corpora(t testing.TB) string {
	t.Helper()
	root := os.Getenv("DROVER_CORPORA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "..", "shared", "corpora")
	}
	if _, err := os.Stat(root); err != nil {
		missing(t, err)
	}
	return root
}

// missing skips a test whose corpus is not there, unless figures are wanted.
func missing(t testing.TB, err error) {
	t.Helper()
	if os.Getenv("DROVER_QUALITY") != "" {
		t.Fatalf("no corpus: %v", err)
	}
	t.Skipf("SKIPPED: no corpus; DROVER_CORPORA names the directory of the corpora: %v", err)
}
