package openai

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/turns"
)

// wireID is the id of a call as the server takes it: always the same for the
// same one. OpenAI takes 40 letters, digits, _ and -, Mistral 9 letters and
// digits.
func (m *Model) wireID(id string) string {
	sum := sha256.Sum256([]byte(id))
	switch {
	case m.server.mistral:
		return hex.EncodeToString(sum[:])[:9]
	case validID(id, 40):
		return id
	}
	return "call_" + hex.EncodeToString(sum[:])[:24]
}

func validID(id string, most int) bool {
	return id != "" && len(id) <= most && strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// cacheKey is the same for all steps of a conversation, so that they find the
// same cache.
func cacheKey(r model.Request) string {
	sum := sha256.Sum256([]byte(r.System + "\x00" + r.Task))
	return "drover-" + hex.EncodeToString(sum[:16])
}

// from names the model that something was kept of.
func (m *Model) from() string { return m.opts.BaseURL + " " + m.opts.Model }

// outputText is what a tool said, with the word that it failed.
func outputText(out model.Output) string {
	if out.IsError() {
		return "Error: " + out.Text()
	}
	return out.Text()
}

// behind is what the user says behind the results of tools: first their images,
// for wires whose results have none.
func behind(t turns.Turn) (parts []model.Part) {
	for _, r := range t.Results {
		parts = append(parts, r.Files...)
	}
	if len(parts) > 0 {
		parts = append([]model.Part{model.Text("Images of the results above:")}, parts...)
	}
	return append(parts, t.Parts...)
}

// objectText is the input of a call as text. Servers write it into templates that
// take objects only: what the model wrote else is put into one.
func objectText(p model.Part) string {
	if strings.HasPrefix(strings.TrimSpace(string(p.Input)), "{") {
		return string(p.Input)
	}
	if len(p.Input) == 0 {
		return "{}"
	}
	return `{"unreadable":` + string(p.Input) + `}`
}

func texts(parts []model.Part) string {
	var all []string
	for _, p := range parts {
		if p.Type == model.TextPart {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n")
}

func dataURL(p model.Part) string { return "data:" + p.MediaType + ";base64," + p.Data }
