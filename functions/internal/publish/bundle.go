package publish

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"syscall"

	"github.com/drover-go/drover/functions/internal/bundler"
	"github.com/drover-go/drover/internal/child"
)

// bundle writes the entry point with all files of the archive that it imports as one
// module. It returns its path in dir.
func (p *Publisher) bundle(ctx context.Context, dir, entry string, log Log) (string, error) {
	log("Bundling " + entry)
	a, err := p.askBundler(ctx, bundler.Request{Dir: dir, Entry: entry})
	if err != nil {
		return "", err
	}
	if a.Full {
		return "", fmt.Errorf("publish: the bundle does not fit on the disk: %w", syscall.ENOSPC)
	}
	for _, line := range a.Warnings {
		log("Warning: " + line)
	}
	if len(a.Errors) == 0 {
		return a.Bundle, nil
	}
	for _, line := range a.Errors {
		log("Error: " + line)
	}
	return "", failed(NoManifests, "bundling: %s", a.Errors[0])
}

// crashed is what a process of Go says last.
var crashed = regexp.MustCompile(`^(?:fatal error|panic): (.+)`)

// askBundler runs the bundler in a child. What it dies of is in what was published.
func (p *Publisher) askBundler(ctx context.Context, r bundler.Request) (a bundler.Answer, err error) {
	spec, err := bundler.Spec()
	if err != nil {
		return a, err
	}
	talk, err := newExchange(r)
	if err != nil {
		return a, err
	}
	defer talk.close()
	said := speech{log: func(string) {}, dir: r.Dir, problem: crashed}
	spec.Dir, spec.Output, spec.Stdin, spec.Stdout = r.Dir, said.hear, talk.in, talk.out
	spec.Limits = p.conf.Limits
	spec.Limits.Time, spec.Limits.FileSize = p.conf.Introspect, 0 // what bounds a file may start it by a shell, whose program it would be
	spec.Env = p.env("GOTRACEBACK=none", "GOMEMLIMIT="+strconv.FormatInt(p.conf.Limits.Memory/4*3, 10))
	end, err := p.child(ctx, spec)
	if err != nil {
		return a, err
	}
	text := talk.answer()
	switch {
	case said.found == "stack overflow":
		return a, failed(NoManifests, "bundling: the sources are nested too deeply")
	case end.Cause == child.TimeLimit:
		return a, failed(NoManifests, "bundling: it did not end within %v", p.conf.Introspect)
	case end.Cause == child.MemoryLimit:
		return a, failed(NoManifests, "bundling: it took more memory than it may")
	case !end.OK():
		return a, failed(NoManifests, "bundling: %s", said.why(end))
	}
	return a, json.Unmarshal(text, &a)
}

// exchange is what is written to a child, and read of it.
type exchange struct {
	in, out *os.File // the child's ends
	write   *os.File
	read    *os.File
	got     chan []byte
}

func newExchange(request any) (*exchange, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	e := &exchange{got: make(chan []byte, 1)}
	var failed [2]error
	e.in, e.write, failed[0] = os.Pipe()
	e.read, e.out, failed[1] = os.Pipe()
	if err := errors.Join(failed[:]...); err != nil {
		e.close()
		return nil, err
	}
	go func() {
		_, _ = e.write.Write(text) // a child that does not read it says why
		e.write.Close()
	}()
	go func() {
		text, _ := io.ReadAll(io.LimitReader(e.read, bundler.MaxAnswer)) // one that was cut is no JSON
		e.read.Close()
		e.got <- text
	}()
	return e, nil
}

// answer is what the child has said, of which nothing is left by then.
func (e *exchange) answer() []byte { return <-e.got }

// close ends the exchange, also with a child that never was.
func (e *exchange) close() {
	for _, f := range []*os.File{e.in, e.out, e.write, e.read} {
		if f != nil {
			f.Close()
		}
	}
}
