package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

const downloadsName = "downloads"

func (s *Set) downloads() tool {
	return tool{
		Tool: model.Tool{
			Name: downloadsName,
			Description: "Lists the files that there are: those downloaded, whose end is waited for, and those given to you. " +
				"With a name it reads one back: text, HTML, CSV, JSON and PDF as text.",
			Input: object(0,
				"name", property("string", "The file to read. Default none: all are listed."),
				"offset", property("integer", "Where to go on reading. Default 0.")),
		},
		run: s.runDownloads,
	}
}

// downloadWait is how long downloads under way are waited for.
const downloadWait = 15 * time.Second

func (s *Set) runDownloads(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Name   string `json:"name"`
		Offset int    `json:"offset"`
	}](raw)
	switch {
	case err != nil:
		return Result{}, err
	case in.Offset < 0:
		return Result{}, badInput("offset must not be negative")
	}
	session, r, err := s.session(ctx)
	if err != nil {
		return r, err
	}
	begun, err := session.Fetched(ctx, downloadWait)
	if err != nil {
		return Result{Fatal: dead(session)}, err
	}
	all, err := s.files(ctx, session)
	if err != nil {
		return Result{}, err
	}
	if in.Name == "" {
		return s.listFiles(all, begun), nil
	}
	f, err := s.fileNamed(all, in.Name, anyFile)
	if err != nil {
		return Result{}, err
	}
	return s.readFile(ctx, f, in.Offset)
}

// listFiles lists what is stored, and what came to nothing or is under way.
func (s *Set) listFiles(all []namedFile, begun []browser.Fetched) Result {
	var lines []string
	for _, f := range all {
		state := "given"
		if f.Downloaded {
			state = "downloaded"
		}
		lines = append(lines, fmt.Sprintf("- %q %s, %d bytes, %s", f.name, s.fileName(f.Type), f.Size, state))
	}
	for _, f := range begun {
		switch f.State {
		case browser.UnderWay:
			lines = append(lines, fmt.Sprintf("- %q under way, %d bytes so far", s.fileName(f.Filename), f.Received))
		case browser.Refused:
			lines = append(lines, fmt.Sprintf("- %q refused: %q", s.fileName(f.Filename), s.field(f.Why)))
		case browser.Failed:
			lines = append(lines, fmt.Sprintf("- %q failed", s.fileName(f.Filename)))
		}
	}
	if len(lines) == 0 {
		return Result{Output: model.TextOutput("There are no files.")}
	}
	text, rest := joinWithin(lines, s.opts.MaxOutput-300)
	out := fmt.Sprintf("[page %s]\n%s\n[end of page %s]", s.fence, text, s.fence)
	if rest > 0 {
		out += fmt.Sprintf("\n%d more files are not listed.", rest)
	}
	return Result{Output: model.TextOutput(out)}
}

// joinWithin joins lines of at most limit bytes in all and says how many are left.
func joinWithin(lines []string, limit int) (text string, rest int) {
	size := 0
	for i, l := range lines {
		if size += len(l) + 1; size > limit {
			return strings.Join(lines[:i], "\n"), len(lines) - i
		}
	}
	return strings.Join(lines, "\n"), 0
}
