// Package mdtest holds markdown against what must be true of that of any page.
// It reads it as its readers do, with goldmark.
package mdtest

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/drover-go/drover/fetch/internal/link"
	"github.com/drover-go/drover/internal/weburl"
)

// Faults returns what is wrong with markdown: links and images that are
// relative or lead to scripts or data, and code whose fence nothing closes, in
// lists and quotes, too.
func Faults(md string) (faults []string) {
	source := []byte(md)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser().Parse(text.NewReader(source))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			faults = append(faults, faultsOf(n, source)...)
		}
		return ast.WalkContinue, nil
	})
	return faults
}

func faultsOf(n ast.Node, source []byte) []string {
	switch n := n.(type) {
	case *ast.Link:
		return leads(string(n.Destination))
	case *ast.Image:
		return leads(string(n.Destination))
	case *ast.FencedCodeBlock:
		if !isClosed(n, source) {
			return []string{fmt.Sprintf("a fence is not closed: %.60q", n.Lines().Value(source))}
		}
	}
	return nil
}

func leads(dest string) []string {
	if dest == "" || !LeadsNowhere(dest) {
		return nil
	}
	return []string{fmt.Sprintf("a link or image to %q", dest)}
}

// LeadsNowhere reports an address that is relative, or of no use elsewhere.
func LeadsNowhere(dest string) bool {
	scheme, ok := weburl.SchemeOf(dest)
	return !ok || link.IsLocal(scheme)
}

// isClosed reports whether a fence stands on the line behind the last of the
// code. A block without lines does not say where it is; its closing fence is
// the next line that has one, and what would be missing shows elsewhere.
func isClosed(n *ast.FencedCodeBlock, source []byte) bool {
	lines := n.Lines()
	if lines.Len() == 0 {
		return true
	}
	rest := source[lines.At(lines.Len()-1).Stop:]
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	fence := strings.TrimLeft(string(line), " >\t")
	return strings.HasPrefix(fence, "```") && strings.Trim(fence, "` ") == ""
}
