package drover

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/runs/browser"
)

// renderer loads the pages of fetches in sessions of the browser.
type renderer struct{ browser browser.Provider }

// Render implements [fetch.Renderer].
func (r renderer) Render(ctx context.Context, url string, o fetch.RenderOptions) (_ *fetch.Rendered, err error) {
	var heard documents
	s, err := r.browser.Open(ctx, browser.Options{Project: o.Project, Egress: o.Egress, Observe: heard.observe})
	if err != nil {
		return nil, named(err, o.Egress)
	}
	defer s.Close()
	page, err := s.Navigate(ctx, url)
	if err != nil {
		return nil, err
	}
	if len(page.Downloads) > 0 {
		return nil, errtypes.Field("render", "needs a page in HTML; this one is a download")
	}
	html, cut, err := s.HTML(ctx, int(o.MaxBytes))
	if err != nil {
		return nil, err
	}
	if cut && int64(len(html)) > o.MaxBytes-maxTag {
		return nil, errtypes.New(errtypes.BadGateway, "the page is larger than %d bytes", o.MaxBytes)
	}
	s.Close() // so that nothing more is heard
	return &fetch.Rendered{URL: page.URL, Answers: heard.all(page), HTML: html}, nil
}

// named gives a refusal of certificates the name that callers of fetches know
// them by.
func named(err error, p egress.Policy) error {
	e, ok := errors.AsType[*errtypes.Error](err)
	if !ok || e.Field != "certificates" {
		return err
	}
	field := "caCertificates"
	if len(p.TLS.Roots) == 0 {
		field = "clientCertificates"
	}
	return errtypes.Field(field, "cannot be honoured with render by the remote browser that this instance uses").WithCause(err)
}

// maxTag is how far below its limit a document may have been cut.
const maxTag = 64 << 10

// documents are the answers to the requests for a tab's own document.
type documents struct {
	mu      sync.Mutex
	answers []fetch.RenderedAnswer
}

// seen is what is of interest in the events of the network.
type seen struct {
	Type             string
	FrameID          string
	RedirectResponse *head
	Response         *head
}

type head struct {
	URL     string
	Status  int
	Headers map[string]string
}

// observe takes in an event. A tab's own frame has the tab's id.
func (d *documents) observe(ev browser.Event) {
	if ev.Method != "Network.requestWillBeSent" && ev.Method != "Network.responseReceived" {
		return
	}
	var s seen
	if json.Unmarshal(ev.Params, &s) != nil || s.Type != "Document" || s.FrameID != ev.Tab {
		return
	}
	for _, h := range []*head{s.RedirectResponse, s.Response} {
		if h != nil {
			d.add(*h)
		}
	}
}

func (d *documents) add(h head) {
	header := http.Header{}
	for name, value := range h.Headers {
		header.Set(name, value)
	}
	for _, name := range hopByHop {
		header.Del(name)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.answers) < maxAnswers {
		d.answers = append(d.answers, fetch.RenderedAnswer{URL: h.URL, Status: h.Status, Header: header})
	}
}

// hopByHop are headers between the browser and its proxy (RFC 9110, 7.6.1).
var hopByHop = []string{"Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding"}

// maxAnswers bounds the answers that are kept: a page can reload itself any
// number of times.
const maxAnswers = 100

// all returns the answers; that of the page itself where none was heard.
func (d *documents) all(p browser.Page) []fetch.RenderedAnswer {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.answers) == 0 {
		return []fetch.RenderedAnswer{{URL: p.URL, Status: max(p.Status, http.StatusOK), Header: http.Header{}}}
	}
	return d.answers
}
