package markdown

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestScratch(t *testing.T) {
	b, _ := os.ReadFile(os.Getenv("IN"))
	u, _ := url.Parse("https://example.com/dir/page?x=1")
	s, err := FromString(string(b), Options{PageURL: u})
	fmt.Println(s)
	fmt.Println("ERR", err)
}

func TestDump(t *testing.T) {
	var own, theirs time.Duration
	p := plain()
	n, bytes := 0, 0
	for _, f := range corpora(t, "main-content") {
		page := readGzip(t, f)
		t0 := time.Now()
		md, _ := ours(page)
		t1 := time.Now()
		o, _ := p(page)
		t2 := time.Now()
		own += t1.Sub(t0)
		theirs += t2.Sub(t1)
		n++
		bytes += len(page)
		if t1.Sub(t0) > 60*time.Millisecond {
			fmt.Println(f, len(page), t1.Sub(t0), t2.Sub(t1))
		}
		id := strings.TrimSuffix(filepath.Base(f), ".html.gz")
		os.WriteFile("/tmp/md/dump/"+id+".md", []byte(md), 0o644)
		os.WriteFile("/tmp/md/dump/"+id+".plain.md", []byte(o), 0o644)
	}
	fmt.Println(n, bytes, "own", own, "plain", theirs, "MB/s", float64(bytes)/1e6/own.Seconds())
}
