package chrome_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser"
)

// closedPage has a form in closed roots within each other, in a frame of another
// site, and one that comes only after a click.
const closedPage = `<x-form></x-form><script>
customElements.define('x-form', class extends HTMLElement { constructor() { super();
  const root = this.attachShadow({mode: 'closed'});
  root.innerHTML = '<div style="height:1500px"></div><div id=h></div><output id=o></output>';
  const inner = root.getElementById('h').attachShadow({mode: 'closed'});
  inner.innerHTML = '<label>Name <input id=n></label><button id=b>Send</button><span id=later></span>';
  inner.getElementById('b').onclick = () => {
    root.getElementById('o').textContent = 'sent ' + inner.getElementById('n').value;
    inner.getElementById('later').attachShadow({mode: 'closed'}).innerHTML = '<button>Later</button>';
  };
} });</script>`

func TestWhatIsInClosedRootsCanBeUsed(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/": closedPage, "/framed": `<iframe src="{other}/" style="width:500px;height:300px"></iframe>`,
	})
	for _, path := range []string{"/", "/framed"} {
		t.Run(path, func(t *testing.T) {
			s := open(t)
			navigate(t, s, at(srv, "main.test", path))
			if _, err := s.Type(t.Context(), ref(t, s, "Name"), "Ada", browser.TypeOptions{}); err != nil {
				t.Fatal(err)
			}
			send := ref(t, s, "Send")
			if _, err := s.Click(t.Context(), send); err != nil {
				t.Fatal(err)
			}
			later := ref(t, s, "Later")
			if _, err := s.Click(t.Context(), later); err != nil {
				t.Error(err)
			}
			if got := lines(snapshot(t, s)); !strings.Contains(got, `"sent Ada"`) || ref(t, s, "Send") != send {
				t.Errorf("%s", got)
			}
			html, _, err := s.HTML(t.Context(), 1<<20)
			if err != nil || !strings.Contains(html, "Later") || !strings.Contains(html, "sent Ada") {
				t.Errorf("%v %s", err, html)
			}
		})
	}
}

func TestAStaleReferenceSaysWhatItWas(t *testing.T) {
	t.Parallel()
	s := show(t, `<button onclick="this.remove()">Go away</button><div id=a><button id=m>Moves</button></div><div id=b></div>`)
	gone, moves := ref(t, s, "Go away"), ref(t, s, "Moves")
	click(t, s, "Go away")
	_, err := s.Click(t.Context(), gone)
	var stale *browser.StaleError
	if !errors.As(err, &stale) || stale.Was != `button "Go away"` || !strings.Contains(err.Error(), `(button "Go away") is no longer on the page`) {
		t.Error(err)
	}
	if _, err := s.Click(t.Context(), moves); err != nil {
		t.Error(err)
	}
}

func TestReferencesOutliveAMoveOnThePage(t *testing.T) {
	t.Parallel()
	s := show(t, `<div id=a><button onclick="document.getElementById('b').append(this)">Moves</button></div><div id=b tabindex=0 aria-label=B></div>`)
	moves := ref(t, s, "Moves")
	click(t, s, "Moves")
	if got := ref(t, s, "Moves"); got != moves {
		t.Errorf("%s has become %s", moves, got)
	}
	part, err := s.SnapshotOf(t.Context(), browser.SnapshotOptions{Ref: ref(t, s, "B")})
	if err != nil || len(part.Elements) != 2 || part.Elements[1].Ref != moves {
		t.Errorf("%v\n%s", err, lines(part))
	}
}
