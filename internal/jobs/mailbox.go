package jobs

import (
	"sync"
	"time"

	"github.com/drover-go/drover/internal/lifecycle"
)

// mailbox is how commits and workers talk to the loop. Posting never blocks.
type mailbox struct {
	poke chan struct{} // capacity 1: there is mail
	mu   sync.Mutex
	mail *mail
}

// mail is what has happened since the loop looked last.
type mail struct {
	ready map[string]bool // kinds of which a job became ready
	due   time.Time       // by the wall clock, of the earliest job that was delayed; zero without one
	ended []outcome
}

func newMailbox() *mailbox { return &mailbox{poke: make(chan struct{}, 1), mail: newMail()} }

func newMail() *mail { return &mail{ready: map[string]bool{}} }

func (m *mailbox) post(write func(*mail)) {
	m.mu.Lock()
	write(m.mail)
	m.mu.Unlock()
	lifecycle.Poke(m.poke)
}

func (m *mailbox) postReady(kind string) { m.post(func(mail *mail) { mail.ready[kind] = true }) }

func (m *mailbox) postDue(at time.Time) {
	m.post(func(mail *mail) { mail.due = earlier(mail.due, at) })
}

func (m *mailbox) postEnded(o outcome) {
	m.post(func(mail *mail) { mail.ended = append(mail.ended, o) })
}

// take empties the mailbox.
func (m *mailbox) take() *mail {
	m.mu.Lock()
	defer m.mu.Unlock()
	taken := m.mail
	m.mail = newMail()
	return taken
}

// earlier returns the earlier of two times of which zero is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
