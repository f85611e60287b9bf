package anthropic

import (
	"errors"
	"regexp"
	"strconv"
	"sync/atomic"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/dialect"
	"github.com/drover-go/drover/runs/model/internal/provider"
)

// Fields that an answer is possible without.
const (
	fieldTemperature = "temperature"
	fieldToolChoice  = "tool_choice"
	fieldThinking    = "thinking"
	fieldEffort      = "output_config"
	fieldCache       = "cache_control"
	fieldToolset     = "tools"
)

// named are the words for these fields in a refusal.
var named = map[string]*regexp.Regexp{
	fieldTemperature: regexp.MustCompile(`\btemperature\b`),
	fieldToolChoice:  regexp.MustCompile(`\btool_choice\b`),
	fieldThinking:    regexp.MustCompile(`(?i)\bthinking\b`),
	fieldEffort:      regexp.MustCompile(`\boutput_config\b|\beffort\b`),
	fieldCache:       regexp.MustCompile(`\bcache_control\b`),
	fieldToolset:     regexp.MustCompile(`browser_toolset|toolset_name`),
}

// learned is what the server has refused.
type learned struct {
	fields  provider.Learned[string]
	replays provider.Learned[*replay]
	most    atomic.Int64 // tokens of an answer; 0: nothing was said
}

// lower notes how many tokens an answer may have; false if that is no news.
func (l *learned) lower(n int) bool {
	most := l.most.Load()
	return n > 0 && (most == 0 || int64(n) < most) && l.most.CompareAndSwap(most, int64(n))
}

var (
	aboutTools = regexp.MustCompile(`tools\.\d+\.|input_schema`)
	// aboutReasoning is how a refusal names reasoning that is missing, or that
	// another model or account has signed.
	aboutReasoning = regexp.MustCompile("(?i)signature|redacted_thinking|thinking.{0,3} blocks?|expected .?thinking")
	aboutOutput    = regexp.MustCompile(`max_tokens: (\d+) > (\d+)`)
	// withoutStrict is how a server says that it does not know strict tools.
	withoutStrict = regexp.MustCompile(`(?i)\bstrict\b.{0,60}(extra|unknown|unexpected|unrecognized|not (permitted|supported|allowed|available))`)
)

// learn notes what of a question was refused, and reports whether to ask again
// without.
func (m *Model) learn(err error, q question) bool {
	e, ok := errors.AsType[*model.Error](err)
	if !ok || e.Kind != model.ErrorRequest {
		return false
	}
	text := e.Message
	if f, ok := provider.FaultOf(err); ok {
		text += " " + f.Param
	}
	switch {
	case len(q.replays) > 0 && aboutReasoning.MatchString(text):
		for _, r := range q.replays {
			m.learned.replays.Refuse(r)
		}
		return true
	case q.toolset != nil && named[fieldToolset].MatchString(text):
		return m.learned.fields.Refuse(fieldToolset)
	case !aboutTools.MatchString(text) && m.learnField(text, q.optional):
		return true
	case aboutOutput.MatchString(text):
		most, err := strconv.Atoi(aboutOutput.FindStringSubmatch(text)[2])
		return err == nil && most < q.body.MaxTokens && m.learned.lower(most)
	case dialect.Refuses(e):
		return q.ladder.Down(q.tools, withoutStrict.MatchString(text))
	}
	return false
}

func (m *Model) learnField(text string, optional []string) bool {
	for _, name := range optional {
		if named[name].MatchString(text) && m.learned.fields.Refuse(name) {
			return true
		}
	}
	return false
}
