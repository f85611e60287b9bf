package runs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/tools"
)

// pageOf is an answer with a page of 40 buttons, of which one is called otherwise.
func pageOf(s *tools.Set, n int) model.Output {
	fence := strings.Fields(strings.TrimPrefix(s.Fence(model.JSONOutput([]byte("1")), 0).Text(), "[page "))[0]
	v := outline.View{Page: browser.Page{URL: "https://a.example/"}, Total: 40}
	for i := range 40 {
		l := outline.Line{Element: browser.Element{Role: "button", Name: fmt.Sprintf("Button %d", i), Ref: browser.Ref(fmt.Sprintf("e%d", i+1))}}
		if i == n%40 {
			l.Name = "Odd"
		}
		v.Lines = append(v.Lines, l)
	}
	text, _ := v.Text(strings.TrimSuffix(fence, "]"), 1<<20)
	return model.TextOutput("Clicked.\n" + text)
}

func TestLanguageModelsSeeWhatHasChanged(t *testing.T) {
	t.Parallel()
	s := tools.New(tools.Options{})
	var said transcript
	for i := range 14 {
		call := model.Call(fmt.Sprint(i), "click", nil)
		said.add(model.Message{Role: model.Assistant, Content: []model.Part{call}})
		said.add(model.Message{Role: model.ToolRole, Content: []model.Part{model.Result(call, pageOf(s, i))}})
		said.see(s)
	}
	whole := func(all []model.Message) (pages string) {
		for _, m := range all {
			if r := m.Results(); len(r) > 0 {
				text := r[0].Output.Text()
				switch {
				case strings.Contains(text, "Changes since"):
					pages += "d"
				case strings.Contains(text, "left out here"):
					pages += "s"
				default:
					pages += "w"
				}
			}
		}
		return pages
	}
	if got := whole(said.whole()); got != strings.Repeat("w", 14) {
		t.Errorf("stored: %s", got)
	}
	if got := whole(said.shown()); got != "w"+strings.Repeat("d", 8)+"w"+"dddd" {
		t.Errorf("shown: %s", got)
	}
	shorten := func(m model.Message) model.Message {
		short := model.Message{Role: m.Role}
		for _, p := range m.Content {
			if p.Output != nil {
				out := s.Shorten(*p.Output)
				p.Output = &out
			}
			short.Content = append(short.Content, p)
		}
		return short
	}
	said.cut(7, shorten) // the first three pages
	if got := whole(said.shown()); got != "sss"+"w"+strings.Repeat("d", 8)+"wd" {
		t.Errorf("shortened: %s", got)
	}
	first, again := said.shown(), said.shown()
	if fmt.Sprint(whole(first)) != fmt.Sprint(whole(again)) {
		t.Error("it is not the same twice")
	}
}
