package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract/sight"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/pdftext"
	"github.com/drover-go/drover/runs/model"
)

// maxFile is how much of a file is read, in bytes.
const maxFile = 32 << 20

// readFile shows what a file says, as far as that is text.
func (s *Set) readFile(ctx context.Context, f namedFile, offset int) (Result, error) {
	data, cut, err := s.load(ctx, f)
	if err != nil {
		return Result{}, err
	}
	text, err := s.textOf(ctx, f, data)
	if err != nil {
		return Result{}, err
	}
	if text == "" {
		return Result{Output: model.TextOutput(fmt.Sprintf("%q is no text: %s, %d bytes.", f.name, s.fileName(f.Type), f.Size))}, nil
	}
	return s.showText(text, cut, offset), nil
}

func (s *Set) load(ctx context.Context, f namedFile) (data []byte, cut bool, err error) {
	content, err := f.Open(ctx)
	if err != nil {
		return nil, false, err
	}
	defer content.Close()
	data, err = io.ReadAll(io.LimitReader(content, maxFile+1))
	if cut = len(data) > maxFile; cut { // half a value at the end would not be recognised as one
		data = data[:maxFile-s.opts.Variables.Longest()]
	}
	return data, cut, err
}

// textTypes are types beside those of text that are text.
var textTypes = []string{"application/json", "application/xml", "application/javascript", "application/x-ndjson", "application/yaml", "application/sql"}

// textOf is the text of a file; empty where it is none.
func (s *Set) textOf(ctx context.Context, f namedFile, data []byte) (string, error) {
	switch kind := kindOf(f, data); {
	case kind == "application/pdf":
		return s.pdfText(ctx, data)
	case kind == "text/html", kind == "application/xhtml+xml":
		return sight.Text(string(data[:min(len(data), s.opts.MaxHTML)]))
	case isText(kind) && looksText(data):
		return string(data), nil
	}
	return "", nil
}

// kindOf is the type of a file: the one it came with, or else what it looks like.
func kindOf(f namedFile, data []byte) string {
	if strings.HasPrefix(string(data[:min(len(data), 1024)]), "%PDF-") {
		return "application/pdf"
	}
	kind := f.Type
	if kind == "" || kind == "application/octet-stream" {
		if kind = mime.TypeByExtension(path.Ext(f.Name)); kind == "" {
			kind = http.DetectContentType(data)
		}
	}
	kind, _, _ = strings.Cut(kind, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

func isText(kind string) bool {
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") || slices.Contains(textTypes, kind)
}

// looksText reports whether the beginning is text, whatever the type says.
func looksText(data []byte) bool {
	head := data[:min(len(data), 4096)]
	return len(head) > 0 && !slices.Contains(head, 0)
}

// pdfTime bounds the reading of one document.
const pdfTime = 10 * time.Second

var errPDFTime = errtypes.New(errtypes.GatewayTimeout, "the document takes too long to read")

// pdfText is what a document says, page by page.
func (s *Set) pdfText(ctx context.Context, data []byte) (string, error) {
	ctx, cancel := clock.WithTimeout(ctx, s.opts.Clock, pdfTime, errPDFTime)
	defer cancel()
	doc, err := pdftext.Read(ctx, data, pdftext.Limits{})
	switch {
	case errors.Is(err, pdftext.ErrEncrypted):
		return "", errtypes.New(errtypes.Invalid, "the document is encrypted and cannot be read")
	case errors.Is(err, pdftext.ErrNoPDF):
		return "", errtypes.New(errtypes.Invalid, "the document is broken and cannot be read")
	case err != nil:
		return "", err
	}
	var b strings.Builder
	for i, page := range doc.Pages {
		fmt.Fprintf(&b, "--- Page %d of %d ---\n%s\n", i+1, len(doc.Pages), cmp.Or(page, "(no text)"))
	}
	if doc.Cut {
		b.WriteString("--- The document is too large; the rest is left out. ---\n")
	}
	return b.String(), nil
}
