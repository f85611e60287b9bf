package gemini

import (
	"regexp"

	"github.com/drover-go/drover/runs/model"
)

// Caps returns what the model can do: what models of this provider can, less what
// its name says and what the server refused, changed by [Options.Caps].
func (m *Model) Caps() model.Caps {
	c := model.Caps{
		Tools: true, ForcedTool: true, ParallelTools: true, Images: true, ImagesInResults: true, Coordinates: model.Thousand,
		Temperature: true, Reasoning: true, ContextTokens: 1_048_576, OutputTokens: 65_536,
	}
	if before3.MatchString(m.opts.Model) {
		c.ImagesInResults = false
	}
	if before25.MatchString(m.opts.Model) {
		c.Reasoning, c.OutputTokens = false, 8192
	}
	if noTools.MatchString(m.opts.Model) {
		c.Tools, c.ForcedTool, c.ParallelTools, c.Reasoning, c.ContextTokens, c.OutputTokens = false, false, false, false, 131_072, 8192
	}
	c.ForcedTool = c.ForcedTool && m.learned.fields.Takes(fieldToolConfig)
	c.Temperature = c.Temperature && m.learned.fields.Takes(fieldTemperature)
	if n := m.learned.most.Load(); n > 0 {
		c.OutputTokens = int(n)
	}
	if m.opts.Caps != nil {
		m.opts.Caps(&c)
	}
	return c
}

// What the names of models say. Names change every month: what is not known here
// is learned from refusals, and [Options.Caps] has the last word.
var (
	before3  = regexp.MustCompile(`gemini-[12](\.|-|$)|gemma`)
	before25 = regexp.MustCompile(`gemini-(1|2\.0)`)
	noTools  = regexp.MustCompile(`gemma-[123]`)
	// from3 want a signature at the first call of every answer.
	from3 = regexp.MustCompile(`gemini-([3-9]|\d\d)`)
)
