package page

import (
	"errors"
	"fmt"

	"github.com/drover-go/drover/runs/browser"
)

// maxCalled is of how many elements a session remembers what they were.
const maxCalled = 20_000

// calledLimit bounds what is remembered of a name, in bytes.
const calledLimit = 80

// calls notes what the elements of a snapshot are, for when they have gone.
func (s *Session) calls(all []browser.Element) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.called) > maxCalled {
		clear(s.called)
	}
	for _, e := range all {
		if e.Ref == "" {
			continue
		}
		was := e.Role
		if e.Name != "" {
			was += fmt.Sprintf(" %q", Clean(e.Name, calledLimit))
		}
		s.called[e.Ref] = was
	}
}

// recall has a StaleError say what the element was.
func (s *Session) recall(err error) error {
	if stale, ok := errors.AsType[*browser.StaleError](err); ok && stale.Was == "" {
		s.mu.Lock()
		defer s.mu.Unlock()
		stale.Was = s.called[stale.Ref]
	}
	return err
}
