package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/storage"
)

// say adds a message to the conversation and stores it, cut to its limit. It
// is stored also after the run was broken off: a call must not stay without
// its result.
func (x *activeRun) say(m model.Message) error {
	if len(m.Content) == 0 {
		if m.Replay != nil {
			x.said.add(m) // the provider wants it back
		}
		return nil
	}
	x.said.add(m)
	if m.Role == model.ToolRole && x.tools != nil && !x.whole() {
		x.said.see(x.tools)
	}
	return x.store(m)
}

// sayWith is say for a message with files that only the model sees.
func (x *activeRun) sayWith(m model.Message, files []model.Part) error {
	shown := m
	shown.Content = append(slices.Clone(m.Content), files...)
	x.said.add(shown)
	return x.store(m)
}

// store stores a message, cut to its limit, with what has been used so far.
func (x *activeRun) store(m model.Message) error {
	if x.unstored {
		return nil
	}
	return x.conf.DB.Write(context.WithoutCancel(x.ctx), func(ctx context.Context, tx *storage.Tx) error {
		x.executor.Changed(tx, x.ID)
		if err := x.saveUsage(ctx, tx); err != nil {
			return err
		}
		return insertMessage(ctx, tx, x.ID, Message{ID: ids.New(), CreatedAt: x.now(), Message: cutMessage(m, x.limits.MaxMessage)})
	})
}

// assistant makes a message of the model's answer: without the values of
// variables, without empty parts, each call with an id of its own and an
// object as its input.
func (x *activeRun) assistant(r model.Response) model.Message {
	m := model.Message{Role: model.Assistant, Replay: r.Replay}
	calls := 0
	for _, p := range r.Content {
		switch p.Type {
		case model.TextPart, model.ReasoningPart:
			if p.Text = x.clean(strings.ToValidUTF8(p.Text, "\uFFFD")); strings.TrimSpace(p.Text) != "" {
				m.Content = append(m.Content, model.Part{Type: p.Type, Text: p.Text})
			}
		case model.ToolCallPart:
			if calls++; calls <= maxKept {
				m.Content = append(m.Content, x.cleanCall(p, m))
			}
		}
	}
	return x.bounded(m, calls)
}

// maxKept is how many calls of one answer are kept.
const maxKept = 50

// bounded is a message of the assistant within what the conversation can hold.
// What was left out of it no provider gets back.
func (x *activeRun) bounded(m model.Message, calls int) model.Message {
	if calls > maxKept {
		m.Content = append([]model.Part{model.Text(fmt.Sprintf("(%d more calls were left out: at most %d of an answer are kept.)", calls-maxKept, maxKept))}, m.Content...)
		m.Replay = nil
	}
	for i, p := range m.Content {
		if len(p.Text) > x.limits.MaxMessage {
			m.Content[i].Text, m.Replay = cutNoted(p.Text, x.limits.MaxMessage), nil
		}
	}
	return m
}

// maxToolName is more than any tool is called.
const maxToolName = 64

func (x *activeRun) cleanCall(p model.Part, before model.Message) model.Part {
	id := x.clean(shorten.Characters(strings.ToValidUTF8(p.ToolCallID, ""), 100))
	if id == "" || x.said.knows(id) || hasCall(before, id) {
		id = fmt.Sprintf("call_%d_%d", len(x.said.turns)+1, len(before.Content)+1)
	}
	name := x.clean(shorten.Characters(strings.ToValidUTF8(p.ToolName, "\uFFFD"), maxToolName))
	return model.Call(id, name, x.vault.RedactJSON(bytes.ToValidUTF8(p.Input, []byte("\uFFFD"))))
}

// cleanOutput is the second net under what a tool answers: data that a page
// shows in parts beside each other. Answers in words have had theirs.
func (x *activeRun) cleanOutput(out model.Output) model.Output {
	if out.Type == model.OutputJSON {
		return model.JSONOutput(x.vault.RedactOutputJSON(out.Value))
	}
	return out
}

// cutMessage returns the message with its longest texts cut until its JSON is
// at most limit bytes. What was cut says so.
func cutMessage(m model.Message, limit int) model.Message {
	m.Content = append([]model.Part(nil), m.Content...)
	for before := math.MaxInt; ; {
		raw, err := json.Marshal(m)
		if err != nil || len(raw) <= limit || len(raw) >= before { // no part can be made shorter any more
			return m
		}
		before = len(raw)
		cutLongest(m.Content, len(raw)-limit)
	}
}

// cutLongest makes the longest part shorter by about excess bytes.
func cutLongest(parts []model.Part, excess int) {
	longest, size := 0, -1
	for i, p := range parts {
		if n := partSize(p); n > size {
			longest, size = i, n
		}
	}
	p := &parts[longest]
	keep := max(size-excess-size/8-60, 0)
	switch {
	case p.Output != nil && p.Output.Type != model.OutputJSON:
		out := model.TextOutput(cutNoted(p.Output.Text(), keep))
		p.Output = &model.Output{Type: p.Output.Type, Value: out.Value}
	case p.Output != nil:
		out := model.TextOutput(cutNoted(string(p.Output.Value), keep))
		p.Output = &out
	case len(p.Input) > len(p.Text):
		p.Input = json.RawMessage(fmt.Sprintf(`{"cut":%d}`, len(p.Input)))
	default:
		p.Text = cutNoted(p.Text, keep)
	}
}

func partSize(p model.Part) int {
	n := len(p.Text) + len(p.Input)
	if p.Output != nil {
		n += len(p.Output.Value)
	}
	return n
}

func cutNoted(text string, keep int) string {
	if keep >= len(text) {
		keep = len(text) / 2
	}
	for keep > 0 && !utf8.RuneStart(text[keep]) {
		keep--
	}
	return fmt.Sprintf("%s … (cut: %d bytes in all)", text[:keep], len(text))
}

// answerOpen answers the calls of the last message of a run that was broken
// off without doing so.
func (s *service) answerOpen(ctx context.Context, tx *storage.Tx, runID, why string) error {
	last, err := lastMessage(ctx, tx, runID)
	if err != nil {
		return err
	}
	var results []model.Part
	for _, call := range last.Message.Calls() {
		results = append(results, model.Result(call, model.ErrorOutput(why)))
	}
	id := ids.New()
	if len(results) == 0 || id <= last.ID { // that process had a later clock
		return nil
	}
	s.executor.Changed(tx, runID)
	return insertMessage(ctx, tx, runID, Message{ID: id, CreatedAt: s.now(), Message: model.Message{Role: model.ToolRole, Content: results}})
}
