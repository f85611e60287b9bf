package tree

import (
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// checkScanner holds the tokens of the scanner against those of the parser's
// lexer. foreign is asked before each token.
func checkScanner(t *testing.T, src string, foreign func(i int) bool) (found bool) {
	t.Helper()
	fast := &scanner{src: src}
	slow := &tokenizer{z: html.NewTokenizer(strings.NewReader(src))}
	for i := 0; ; i++ {
		in := foreign(i)
		kind, name := fast.next(in)
		if fast.lost {
			return false
		}
		wantKind, wantName := slow.next(in)
		if wantKind == html.DoctypeToken {
			wantKind = html.CommentToken
		}
		if kind != wantKind || string(name) != string(wantName) {
			t.Fatalf("token %d of %q: %v %q, want %v %q", i, src, kind, name, wantKind, wantName)
		}
		if kind == html.ErrorToken {
			return true
		}
	}
}

func never(int) bool { return false }

func TestScannerFindsTheParsersTokens(t *testing.T) {
	for _, src := range []string{
		"", "text", "a < b", "<p>", "<P CLASS=x>y</P >", `<a href="a>b" title='c">d'>e</a>`, "<br/>", "<br / >", "<br a=b/>",
		"<a b = 'c' d=e>", "<!doctype html><p>", "<!-- a > b --><p>", "<!--><p>", "<!---><p>", "</>x", "</ x>y", "<?xml x?>y",
		"<script>if (a < b) '</scrip>' </script>x", "<title>a<b></title><b>", "<style></style>", "<TEXTAREA><b></textarea >",
		"<script><!-- if (a) '<scr' //--></script>x", "<script>/<!--/ <b> </script>x<b>", "<a b =c d\n=\n'e>' f = g>", "<a =b>", "<a b / =c>", "<a b='c' =d>",
		"<p a>x", "<p a b/>x", "<p a/b>x", "<p/a>x", "<A\x00>", "<", "</", "<a", "x<", "<div class=a\n\tid=b>",
	} {
		checkScanner(t, src, never)
	}
	page := `<html><head><title>x</title><script>a<b</script></head><body class=a id='b' data-x="c>"><p>y<br/>z<!-- c --></p></body></html>`
	if !checkScanner(t, page, never) {
		t.Error("the scanner is lost on an ordinary page")
	}
}

func TestScannerOnSoup(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	bits := append([]string{"<", ">", "/", "=", "\"", "'", " ", "\n", "a", "<a ", "</", "<!--", "-->", "--", "!", "<script>",
		"</script>", "<title", "</title>", "<!", "<![CDATA[", "]]>", "<?", "b=c", "<b a='x", "<svg/>"}, pieces...)
	sound := 0
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString(bits[r.IntN(len(bits))])
		}
		pattern := r.Uint64()
		if checkScanner(t, b.String(), func(i int) bool { return pattern>>(i%64)&7 == 0 }) {
			sound++
		}
	}
	if sound < 4_000 {
		t.Errorf("the scanner keeps its way in only %d of 20000 cases", sound)
	}
}

func FuzzScanner(f *testing.F) {
	f.Add(`<a href="x>y" b='c' d=e/><!-- x --><script></script>`, uint64(0))
	f.Fuzz(func(t *testing.T, src string, pattern uint64) {
		checkScanner(t, src, func(i int) bool { return pattern>>(i%64)&1 == 1 })
	})
}
