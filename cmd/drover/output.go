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

// shown is text on a terminal, which obeys nothing in it.
type shown struct {
	to   io.Writer
	last byte
}

func (s *shown) Write(p []byte) (int, error) {
	if len(p) > 0 {
		s.last = p[len(p)-1]
	}
	plain := bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return printable(r)
	}, p)
	_, err := s.to.Write(plain)
	return len(p), err
}

// end has the prompt in a line of its own.
func (s *shown) end() error {
	if s.last == 0 || s.last == '\n' {
		return nil
	}
	_, err := io.WriteString(s.to, "\n")
	return err
}
