package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

func (s *Set) upload() tool {
	return tool{
		Tool: model.Tool{
			Name:        "upload",
			Description: "Puts files into a file field, or into the file chooser that a click on the element opens, and returns the page.",
			Input: object(2,
				"ref", property("string", refHelp),
				"files", `{"type":"array","minItems":1,"items":{"type":"string"},"description":"Names of files that were given to you or downloaded; see downloads."}`),
		},
		acts: true,
		run:  s.runUpload,
	}
}

// maxUploaded is how many files one call puts into a field.
const maxUploaded = 100

func (s *Set) runUpload(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		Ref   string   `json:"ref"`
		Files []string `json:"files"`
	}](raw)
	if err != nil {
		return Result{}, err
	}
	ref, err := reference(in.Ref)
	switch {
	case err != nil:
		return Result{}, err
	case len(in.Files) == 0 || len(in.Files) > maxUploaded:
		return Result{}, badInput("files must be 1 to %d names of files", maxUploaded)
	}
	session, r, err := s.session(ctx)
	if err != nil {
		return r, err
	}
	chosen, err := s.chosenFiles(ctx, session, in.Files)
	if err != nil {
		return Result{}, err
	}
	files, done, err := openFiles(ctx, chosen)
	defer done()
	if err != nil {
		return Result{}, err
	}
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		said := fmt.Sprintf("Put %s into %s.", quoteNames(chosen), s.nameOf(ref))
		page, err := session.Upload(ctx, ref, files)
		return said, page, err
	})
}

func (s *Set) chosenFiles(ctx context.Context, session browser.Session, names []string) (chosen []namedFile, err error) {
	all, err := s.files(ctx, session)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		f, err := s.fileNamed(all, name, anyFile)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, f)
	}
	return chosen, nil
}

// openFiles opens the contents, which done closes.
func openFiles(ctx context.Context, chosen []namedFile) (files []browser.File, done func(), err error) {
	var closers []func() error
	done = func() {
		for _, c := range closers {
			c()
		}
	}
	for _, f := range chosen {
		content, err := f.Open(ctx)
		if err != nil {
			return nil, done, err
		}
		closers = append(closers, content.Close)
		files = append(files, browser.File{Name: f.Name, Content: content})
	}
	return files, done, nil
}

func quoteNames(files []namedFile) string {
	var names []string
	for _, f := range files {
		names = append(names, fmt.Sprintf("%q", f.name))
	}
	return cut(strings.Join(names, ", "), maxError)
}
