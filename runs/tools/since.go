package tools

import (
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

// Shows reports whether an answer has the page in it, as a view, and no other.
func (s *Set) Shows(out model.Output) bool {
	_, _, ok := s.viewIn(out)
	return ok
}

// viewIn is the view in an answer, and what is said before it.
func (s *Set) viewIn(out model.Output) (v outline.View, said string, ok bool) {
	if out.Type != model.OutputText && out.Type != model.OutputErrorText {
		return v, "", false
	}
	begin := fmt.Sprintf("[page %s]\n", s.fence)
	text := out.Text()
	said, _, ok = strings.Cut(text, begin)
	if !ok || strings.Count(text, begin) != 1 {
		return v, "", false
	}
	v, ok = outline.Parse(text[len(said):])
	return v, said, ok && v.Page.URL != ""
}

// Since is an answer that shows a page as what has changed since an older answer
// showed it; ok is false where it has to be shown as it is.
func (s *Set) Since(old, now model.Output) (out model.Output, ok bool) {
	before, _, ok := s.viewIn(old)
	if !ok {
		return out, false
	}
	after, said, ok := s.viewIn(now)
	if !ok {
		return out, false
	}
	text, ok := after.Since(before, s.fence)
	return model.Output{Type: now.Type, Value: model.TextOutput(said + text).Value}, ok
}
