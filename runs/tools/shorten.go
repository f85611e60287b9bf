package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/runs/model"
)

// What is left of an old answer, in bytes.
const (
	keptOfPage = 400
	keptOfData = 2000
)

// Shorten is an answer as a model sees it that has seen newer ones: of the pages
// in it only the beginning is left.
func (s *Set) Shorten(out model.Output) model.Output {
	if out.Type == model.OutputJSON {
		return s.Fence(model.JSONOutput(out.Value), keptOfData)
	}
	begin, end := fmt.Sprintf("[page %s]\n", s.fence), fmt.Sprintf("[end of page %s]", s.fence)
	var b strings.Builder
	rest := out.Text()
	for {
		before, after, ok := strings.Cut(rest, begin)
		b.WriteString(before)
		if !ok {
			break
		}
		page, behind, _ := strings.Cut(after, end)
		b.WriteString(begin + leaveOut(page, keptOfPage) + end)
		rest = behind
	}
	return model.Output{Type: out.Type, Value: model.TextOutput(b.String()).Value}
}

// Fence is data of a page as a language model sees it: marked as such, like
// everything else that comes from one, and at most limit bytes of it; 0 for all.
func (s *Set) Fence(out model.Output, limit int) model.Output {
	if out.Type != model.OutputJSON {
		return out
	}
	text := string(out.Value)
	if limit > 0 {
		text = leaveOut(text, limit)
	}
	return model.TextOutput(fmt.Sprintf("[page %s]\n%s\n[end of page %s]", s.fence, strings.TrimSuffix(text, "\n"), s.fence))
}

func leaveOut(text string, keep int) string {
	if len(text) <= keep+100 {
		return text
	}
	for keep > 0 && !utf8.RuneStart(text[keep]) {
		keep--
	}
	return text[:keep] + "\n… (the rest of the page as it was then is left out here)\n"
}
