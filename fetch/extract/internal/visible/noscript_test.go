package visible

import (
	"strings"
	"testing"
)

func TestPagesOfScriptsAreReadWithoutThem(t *testing.T) {
	long := strings.Repeat("<p>Some words that are for those without scripts.</p>", 100)
	got := read(t, "<body><div id=app></div><noscript><h1>Topic</h1>"+long+"<p>Price: €5</p></noscript>", Options{})
	if len(got[0].Get("Price")) != 1 || len(got[0].Get("h1")) != 1 {
		t.Error("the page was not read")
	}
	got = read(t, "<body><p>Price: €4</p>"+strings.Repeat("<p>word word word</p>", 400)+"<noscript><p>Price: €5</p>"+long+"</noscript>", Options{})
	if v := got[0].Get("Price"); len(v) != 1 || v[0].Text != "€4" {
		t.Errorf("the page was read with and without its scripts: %v", v)
	}
	got = read(t, "<body>a<noscript>Please turn on scripts.</noscript>", Options{})
	if len(got[0].Fields) != 0 {
		t.Error("the request to turn on scripts was read")
	}
}
