package tools

// list is the tools in the order in which a model is told of them: what is used
// most comes first. A tool is a line here and a file of its own.
func (s *Set) list() []tool {
	all := []tool{
		s.navigate(), s.click(), s.typeText(), s.fillForm(), s.selectOptions(), s.press(), s.scroll(), s.hover(), s.drag(), s.point(),
		s.snapshot(), s.read(), s.wait(), s.noteAnswer(),
	}
	if s.opts.AskHuman {
		all = append(all, s.askHuman())
	}
	return append(all, s.done())
}
