package anthropic

import (
	"regexp"

	"github.com/drover-go/drover/runs/model"
)

// Caps returns what the model can do: what models of this provider can, less what
// its name says and what the server refused, changed by [Options.Caps].
func (m *Model) Caps() model.Caps {
	c := model.Caps{
		Tools: true, ForcedTool: true, ParallelTools: true, StrictTools: true,
		Images: true, ImagesInResults: true, MaxImages: 100, MaxImageEdge: 1568, Coordinates: model.Pixels,
		Temperature: true, Reasoning: true, CacheMarks: true, ContextTokens: 200_000,
	}
	for _, row := range table {
		if row.names.MatchString(m.opts.Model) {
			row.change(&c)
		}
	}
	if m.opts.BrowserToolset && m.learned.fields.Takes(fieldToolset) {
		c.ParallelTools = false // what comes behind an action that failed must not be done
	}
	c.ForcedTool = c.ForcedTool && m.learned.fields.Takes(fieldToolChoice)
	c.Temperature = c.Temperature && m.learned.fields.Takes(fieldTemperature)
	c.CacheMarks = c.CacheMarks && m.learned.fields.Takes(fieldCache)
	if n := m.learned.most.Load(); n > 0 {
		c.OutputTokens = int(n)
	}
	if m.opts.Caps != nil {
		m.opts.Caps(&c)
	}
	return c
}

// table is what the names of models say. Names change every month: what it does
// not know is learned from refusals, and [Options.Caps] has the last word.
var table = []struct {
	names  *regexp.Regexp
	change func(*model.Caps)
}{
	{regexp.MustCompile(`claude-(2|3|instant)|claude-(sonnet|opus)-4(-0|-2025|$)`), func(c *model.Caps) { c.StrictTools = false }},
	{regexp.MustCompile(`claude-(2|instant)`), func(c *model.Caps) {
		c.Tools, c.Images, c.ImagesInResults, c.CacheMarks, c.ContextTokens = false, false, false, false, 100_000
	}},
	{regexp.MustCompile(`claude-3-(opus|sonnet|haiku)`), func(c *model.Caps) { c.OutputTokens = 4096 }},
	{regexp.MustCompile(`claude-3-5`), func(c *model.Caps) { c.OutputTokens = 8192 }},
	{regexp.MustCompile(`claude-(2|instant|3-(opus|sonnet|haiku|5))`), func(c *model.Caps) { c.Reasoning = false }},
	{regexp.MustCompile(`(fable|mythos)-[5-9]`), func(c *model.Caps) { c.ForcedTool = false }},
	{regexp.MustCompile(`opus-(4-[7-9]|[5-9])|(fable|mythos)-[5-9]`), func(c *model.Caps) { c.Temperature = false }},
}
