package openai

import (
	"strings"

	"github.com/drover-go/drover/runs/model"
)

// family is what is known of models by the beginning of their names. Names change
// every month: Options.Caps has the last word.
type family struct {
	prefix          string
	images          bool
	reasoning       bool
	context, output int
}

// families: the first that fits counts.
var families = []family{
	{"gpt-5", true, true, 400_000, 128_000},
	{"gpt-4.1", true, false, 1_047_576, 32_768},
	{"gpt-4o", true, false, 128_000, 16_384},
	{"gpt-4-turbo", true, false, 128_000, 4_096},
	{"gpt-3.5", false, false, 16_385, 4_096},
	{"o1", true, true, 200_000, 100_000},
	{"o3-mini", false, true, 200_000, 100_000},
	{"o3", true, true, 200_000, 100_000},
	{"o4", true, true, 200_000, 100_000},
	{"gemini-", true, true, 0, 0},
	{"claude-", true, true, 0, 0},
	{"grok-4", true, true, 0, 0},
	{"pixtral", true, false, 0, 0},
	{"gemma3", true, false, 0, 0},
	{"gemma-3", true, false, 0, 0},
	{"llava", true, false, 0, 0},
	{"kimi-k2", false, true, 0, 0},
	{"deepseek", false, true, 0, 0},
}

// knownCaps is what is known before anything was asked.
func knownCaps(name string, s server, d Dialect) model.Caps {
	c := model.Caps{Tools: true, ForcedTool: true, ParallelTools: true, StrictTools: s.openai, Temperature: true, Coordinates: model.Pixels}
	if s.openai {
		c.MaxImages = 500
	}
	c.ImagesInResults = d == Responses
	name = strings.ToLower(name)
	name = name[strings.LastIndexByte(name, '/')+1:] // openrouter: vendor/name
	for _, f := range families {
		if strings.HasPrefix(name, f.prefix) {
			c.Images, c.Reasoning, c.ContextTokens, c.OutputTokens = f.images, f.reasoning, f.context, f.output
			// Kimi takes the one temperature that it has, OpenAI's reasoning models none.
			c.Temperature = !strings.HasPrefix(name, "kimi") && !(f.reasoning && f.context > 0)
			return c
		}
	}
	c.Images = strings.Contains(name, "vision") || strings.Contains(name, "-vl") || strings.Contains(name, "vl:")
	return c
}

// Caps returns what the model can do, as far as it is known by now.
func (m *Model) Caps() model.Caps {
	m.mu.Lock()
	c := m.known
	m.mu.Unlock()
	c.Tools = c.Tools && m.refused.Takes(featureTools)
	c.Images = c.Images && m.refused.Takes(featureImages)
	c.ForcedTool = c.ForcedTool && m.refused.Takes("tool_choice")
	c.Temperature = c.Temperature && m.refused.Takes("temperature")
	if m.opts.Caps != nil {
		m.opts.Caps(&c)
	}
	return c
}
