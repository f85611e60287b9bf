package tree

import (
	"strings"
	"testing"
)

func TestFromXHTML(t *testing.T) {
	for src, want := range map[string]string{
		`<script src="a.js"/><p>x</p>`:                `<script src="a.js"></script><p>x</p>`,
		`<title/><br/><img src='a>b'/><a name="x" />`: `<title></title><br/><img src='a>b'/><a name="x" ></a>`,
		`<div data-x="</p/>"/>`:                       `<div data-x="</p/>"></div>`,
		`<!-- <p/> --><![CDATA[<p/>]]><?xml a="/>"?>`: `<!-- <p/> --><![CDATA[<p/>]]><?xml a="/>"?>`,
		`a < b/> <p`:      `a < b/> <p`,
		`<p>no slash</p>`: `<p>no slash</p>`,
		`<svg><path d="M0"/></svg><x:y/><p title="a`:       `<svg><path d="M0"></path></svg><x:y></x:y><p title="a`,
		`<!-- never closed <p/>`:                           `<!-- never closed <p/>`,
		`<SCRIPT/>` + strings.Repeat("<", 3) + `<hr/><b/>`: `<SCRIPT></SCRIPT>` + strings.Repeat("<", 3) + `<hr/><b></b>`,
	} {
		if got := FromXHTML(src); got != want {
			t.Errorf("%s:\n%s\nwant %s", src, got, want)
		}
	}
}

func FuzzFromXHTML(f *testing.F) {
	f.Add(`<a/><!--`)
	f.Fuzz(func(t *testing.T, src string) {
		if got := FromXHTML(src); len(got) < len(src)-strings.Count(src, "/>") {
			t.Errorf("%q lost something: %q", src, got)
		}
	})
}
