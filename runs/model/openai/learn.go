package openai

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/dialect"
	"github.com/drover-go/drover/runs/model/internal/provider"
)

// How servers say what they do not take.
var (
	noTools   = regexp.MustCompile(`(?i)(not|n't) support.{0,20}\b(tool|function)|\b(tools?|functions?|tool (use|calling))\b.{0,20}not supported|support tool use`)
	noAuto    = regexp.MustCompile(`(?i)auto.{0,5} tool choice requires`)
	noImages  = regexp.MustCompile(`(?i)(not|n't|only) support.{0,40}(image|vision|multimodal)|image.{0,60}(not|n't|only|un)\s?support|image_url.{0,60}(invalid|not|only)|(invalid|expected).{0,60}image_url`)
	badReplay = regexp.MustCompile(`(?i)thought_?signature|encrypted[_ ]content|reasoning_(content|details)|'reasoning'|extra_content`)
	noSealing = regexp.MustCompile(`(?i)encrypted[_ ]content.{0,20}not supported`)
	strictly  = regexp.MustCompile(`(?i)(unknown|unsupported|unrecognized|unexpected|extra|additional|not permitted|not support).{0,60}\bstrict\b|\bstrict\b.{0,60}(unknown|unsupported|unrecognized|unexpected|extra|not permitted|not support)`)
)

// learn notes what the server has refused of a question, and reports whether to
// ask again: that there is something new to do differently.
func (m *Model) learn(err error, q *question) bool {
	e, ok := errors.AsType[*model.Error](err)
	if !ok {
		return false
	}
	f, ok := provider.FaultOf(err)
	if !ok {
		return false
	}
	switch e.Kind {
	case model.ErrorOverflow:
		return m.ollamaGrows(q)
	case model.ErrorRequest, model.ErrorModel: // OpenRouter has no such model with tools
	default:
		return false
	}
	if name, ok := q.names(f.Param); ok {
		return m.leaveOut(name, q)
	}
	if slices.Contains(q.sent, "include") && noSealing.MatchString(f.Message) {
		return m.refused.Refuse("include")
	}
	if badReplay.MatchString(f.Code+" "+f.Param+" "+f.Message) && m.forget(q) {
		return true
	}
	if dialect.Refuses(e) && m.ladder.Down(q.tools, strictly.MatchString(f.Message)) {
		return true
	}
	if name, ok := q.names(f.Message); ok {
		return m.leaveOut(name, q)
	}
	return m.learnFeature(f.Message, q)
}

// learnFeature notes what a server cannot do, where no field stands for it.
func (m *Model) learnFeature(text string, q *question) bool {
	switch {
	case len(q.tools.Sent) > 0 && noAuto.MatchString(text):
		return m.refused.Refuse(featureAuto) || m.refused.Refuse(featureTools)
	case len(q.tools.Sent) > 0 && noTools.MatchString(text):
		return m.refused.Refuse(featureTools)
	case q.hasImages() && noImages.MatchString(text):
		return m.refused.Refuse(featureImages)
	}
	return false
}

// forget leaves out from now on what was kept of the answers in a question; false
// if nothing was. The next answer may be fine.
func (m *Model) forget(q *question) bool {
	for _, kept := range q.replays {
		m.replays.Refuse(kept)
	}
	return len(q.replays) > 0
}

// names finds the first of the optional fields of a question in a text.
func (q *question) names(text string) (string, bool) {
	i := slices.IndexFunc(q.sent, func(name string) bool { return hasWord(text, name) })
	if i < 0 {
		return "", false
	}
	return q.sent[i], true
}

func hasWord(text, word string) bool {
	for rest := text; ; {
		before, after, ok := strings.Cut(rest, word)
		if !ok {
			return false
		}
		if !inWord(before, len(before)-1) && !inWord(after, 0) {
			return true
		}
		rest = after
	}
}

func inWord(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

func (m *Model) leaveOut(name string, q *question) bool {
	if name == "tool_choice" && q.named {
		return m.refused.Refuse(featureNamed)
	}
	return m.refused.Refuse(name)
}

func (q *question) hasImages() bool {
	return slices.ContainsFunc(q.Messages, func(msg model.Message) bool { return slices.ContainsFunc(msg.Content, isFile) })
}
