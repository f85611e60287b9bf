package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

// led reports whether an address has led to a file that is kept.
func led(begun []browser.Started) bool { return len(begun) == 1 && begun[0].Refused == "" }

// addDocument adds the text of the document that an address has led to, if it is
// one: browsers show such, and this one downloads them.
func (s *Set) addDocument(ctx context.Context, r *Result) {
	session, err := s.opts.Session(ctx)
	if err != nil {
		return
	}
	if _, err := session.Fetched(ctx, downloadWait); err != nil {
		return
	}
	all, err := s.files(ctx, session)
	if err != nil {
		return
	}
	f, ok := newestDownload(all)
	if !ok {
		return
	}
	data, _, err := s.load(ctx, f)
	if err != nil || kindOf(f, data) != "application/pdf" {
		return
	}
	said := fmt.Sprintf("The address leads to a PDF document, kept as %q, which is not shown in the browser.", f.name)
	text, err := s.pdfText(ctx, data)
	if err != nil {
		r.Output = model.TextOutput(r.Output.Text() + "\n" + said + " " + s.explain(ctx, err) + ".")
		return
	}
	part := s.showText(text, false, 0).Output.Text()
	part = strings.Replace(part, "go on with offset", fmt.Sprintf("go on with downloads, name %q and offset", f.name), 1)
	r.Output = model.TextOutput(said + " Its text:\n" + part)
}

// newestDownload is the one that was stored last.
func newestDownload(all []namedFile) (newest namedFile, ok bool) {
	for _, f := range all {
		if f.Downloaded {
			newest, ok = f, true
		}
	}
	return newest, ok
}
