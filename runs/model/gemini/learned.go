package gemini

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
	fieldToolConfig  = "toolConfig"
	fieldThinking    = "thinkingConfig"
	fieldID          = "id"
	fieldJSONSchema  = "parametersJsonSchema"
	// noSignature is a call without a signature, which newer models refuse.
	noSignature = "a call without a signature"
)

// named are the words for these fields in a refusal.
var named = map[string]*regexp.Regexp{
	fieldTemperature: regexp.MustCompile(`(?i)\btemperature\b`),
	fieldToolConfig:  regexp.MustCompile(`(?i)\btool_?config\b|function_?calling_?(config|mode)|allowed_?function_?names`),
	fieldThinking:    regexp.MustCompile(`(?i)\bthinking(_?(config|budget|level))?\b|include_?thoughts`),
	fieldID:          regexp.MustCompile(`(?i)unknown name "id"`),
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
	// aboutSignature is how a refusal names reasoning that is missing, or that
	// another model has signed.
	aboutSignature = regexp.MustCompile(`(?i)thought.?signature`)
	aboutOutput    = regexp.MustCompile(`(?i)max_?output_?tokens value of (\d+) but the supported range is from 1 \(inclusive\) to (\d+) \(exclusive\)`)
	// withoutJSONSchema is how a server says that it does not know the field.
	withoutJSONSchema = regexp.MustCompile(`(?i)unknown name.{0,4}parameters_?json_?schema`)
)

// learn notes what of a question was refused, and reports whether to ask again
// without.
func (m *Model) learn(err error, q question) bool {
	e, ok := errors.AsType[*model.Error](err)
	if !ok || e.Kind != model.ErrorRequest {
		return false
	}
	text := e.Message
	switch {
	case aboutSignature.MatchString(text):
		return m.learnSignature(q)
	case withoutJSONSchema.MatchString(text):
		return m.learned.fields.Refuse(fieldJSONSchema) && m.ladder.Down(q.tools, true)
	case m.learnField(text, q.optional):
		return true
	case aboutOutput.MatchString(text):
		end, err := strconv.Atoi(aboutOutput.FindStringSubmatch(text)[2])
		return err == nil && end-1 < q.body.Config.MaxOutput && m.learned.lower(end-1)
	case dialect.Refuses(e):
		return m.ladder.Down(q.tools, false)
	}
	return false
}

// learnSignature leaves out the reasoning of earlier answers, and marks calls
// without a signature where that is wanted.
func (m *Model) learnSignature(q question) bool {
	for _, r := range q.replays {
		m.learned.replays.Refuse(r)
	}
	return len(q.replays) > 0 || q.unsigned && m.learned.fields.Refuse(noSignature)
}

func (m *Model) learnField(text string, optional []string) bool {
	for _, name := range optional {
		if named[name].MatchString(text) && m.learned.fields.Refuse(name) {
			return true
		}
	}
	return false
}
