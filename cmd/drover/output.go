package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/drover-go/drover/errtypes"
)

// toFile is the flag of commands whose result may be a file.
type toFile struct {
	Output string `short:"o" default:"-" help:"File to write; - for standard output. Default ${default}." placeholder:"FILE"`
}

// save copies an answer as it comes, never whole in memory. What cannot be shown goes
// to no terminal.
func (t toFile) save(c console, resp *http.Response) (err error) {
	if t.Output != "-" {
		n, err := t.write(resp.Body)
		if err == nil {
			fmt.Fprintf(c.stderr, "Wrote %s, %s, %s\n", t.Output, oneLine(resp.Header.Get("Content-Type")), bytesText(n))
		}
		return err
	}
	if !isTerminal(c.stdout) {
		_, err := io.Copy(c.stdout, resp.Body)
		return err
	}
	if kind := resp.Header.Get("Content-Type"); !isText(kind) {
		return errtypes.Field("--output", "must name a file: %s is nothing for a terminal", oneLine(kind))
	}
	shown := &shown{to: c.stdout}
	_, err = io.Copy(shown, resp.Body)
	return errors.Join(err, shown.end())
}

// write writes the file. A part of it is left where it fails, and said to be one.
func (t toFile) write(from io.Reader) (int64, error) {
	f, err := os.Create(t.Output)
	if err != nil {
		return 0, errtypes.New(errtypes.Invalid, "the file cannot be written: %v", err)
	}
	n, err := io.Copy(f, from)
	if err = errors.Join(err, f.Close()); err != nil {
		err = fmt.Errorf("%s is not whole: %w", t.Output, err)
	}
	return n, err
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// isText reports whether a media type is for people to read.
func isText(kind string) bool {
	kind, _, err := mime.ParseMediaType(kind)
	if err != nil {
		return false
	}
	_, sub, _ := strings.Cut(kind, "/")
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(sub, "+json") || strings.HasSuffix(sub, "+xml") ||
		sub == "json" || sub == "jsonl" || sub == "x-ndjson" || sub == "xml" || sub == "javascript" || sub == "x-www-form-urlencoded"
}

// shown is text for a terminal, which obeys nothing in it.
type shown struct {
	to io.Writer
	// lines are those that have been written, skip those that come a second time.
	lines, skip int
	open        bool   // the last line has no end
	part        []byte // of a character
}

func (s *shown) Write(p []byte) (int, error) {
	text := append(s.part, p...)
	whole := len(text)
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if tail := text[len(text)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				whole -= i
			}
			break
		}
	}
	s.part = bytes.Clone(text[whole:])
	return len(p), s.write(text[:whole])
}

// write writes whole characters.
func (s *shown) write(text []byte) error {
	for ; s.skip > 0 && len(text) > 0; s.skip-- {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return nil
		}
		text = text[end+1:]
	}
	if len(text) == 0 {
		return nil
	}
	s.lines += bytes.Count(text, []byte{'\n'})
	s.open = text[len(text)-1] != '\n'
	_, err := s.to.Write(bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return printable(r)
	}, text))
	return err
}

// again has a text that is written from its beginning once more go on where it was.
func (s *shown) again() { s.skip, s.part = s.lines, nil }

// end has what follows begin in a line of its own.
func (s *shown) end() error {
	if !s.open {
		return nil
	}
	s.open = false
	_, err := io.WriteString(s.to, "\n")
	return err
}
