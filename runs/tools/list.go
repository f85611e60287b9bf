package tools

import "github.com/drover-go/drover/runs/search"

// list is the tools in the order in which a model is told of them: what is used
// most comes first. A tool is a line here and a file of its own.
func (s *Set) list() []tool {
	all := []tool{
		s.navigate(), s.click(), s.typeText(), s.fillForm(), s.selectOptions(), s.press(), s.scroll(), s.hover(), s.drag(), s.point(),
		s.snapshot(), s.findTool(), s.read(), s.wait(), s.back(), s.tabs(), s.dialog(), s.upload(), s.downloads(), s.noteAnswer(),
	}
	if s.opts.Shape != nil {
		all = append(all, s.extract())
	}
	if s.opts.Images {
		all = append(all, s.screenshot())
	}
	if s.opts.AskHuman {
		all = append(all, s.askHuman())
	}
	if s.opts.Fetch != nil {
		all = append(all, s.fetch())
	}
	if s.opts.Search != nil && s.opts.Search != search.Off {
		all = append(all, s.search())
	}
	for _, o := range s.opts.Own {
		all = append(all, s.own(o))
	}
	return append(all, s.done())
}
