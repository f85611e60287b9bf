package child

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/workdir"
)

// dirPrefix begins the names of hosts' directories.
const dirPrefix = "drover-child-"

// A Manager starts children and ends them, at the latest when it is closed. All
// of a host's children should have the same one: one looks at processes for all.
type Manager struct {
	opts      Options
	firsts    *firsts
	unlimited sync.Once // says once that the size of files cannot be limited

	// What the first child makes is nil before.
	work     *workdir.Dir
	groups   *groups // nil, too, where there are no control groups
	starter  *starter
	confined *starter // of children with another user; nil before the first
	family   *family
	stopLook context.CancelFunc

	mu       sync.Mutex
	closed   bool
	counter  int
	children map[*Process]struct{}
	users    map[uint32]*Process // those that are a child's alone
	living   sync.WaitGroup      // of children
	arrived  chan struct{}       // a child has been started
	looking  sync.WaitGroup
}

var errClosed = errtypes.New(errtypes.Unavailable, "the host is closing and starts no further processes")

// Open ends and removes what dead hosts with the same TempDir have left, and
// returns a manager, which makes nothing before its first child. The error's kind
// is Invalid for options that cannot be.
func Open(o Options) (_ *Manager, err error) {
	defer errtypes.Wrap(&err, "child.Open")
	if o, err = o.withDefaults(); err != nil {
		return nil, err
	}
	m := &Manager{
		opts: o, firsts: newFirsts(), arrived: make(chan struct{}, 1),
		children: map[*Process]struct{}{}, users: map[uint32]*Process{},
	}
	if !o.Leave {
		m.Sweep()
	}
	return m, nil
}

// Dir is the directory that the children's directories are in, made if need be.
// The caller's own may lie there, too, under names that begin with a letter; they
// go with it. The error's kind is Unavailable.
func (m *Manager) Dir() (_ string, err error) {
	defer errtypes.Wrap(&err, "child.Dir")
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.settle(); err != nil {
		return "", err
	}
	return m.work.Path(), nil
}

// settle makes what all children need, once. The lock is held.
func (m *Manager) settle() error {
	if m.closed {
		return errClosed
	}
	if m.work != nil {
		return nil
	}
	work, err := workdir.New(m.opts.TempDir, dirPrefix)
	if err != nil {
		return errtypes.New(errtypes.Unavailable, "there can be no directory for processes").WithCause(err)
	}
	m.work, m.starter = work, newStarter()
	m.family = newFamily(work.Path(), m.opts.Names, m.firsts)
	m.groups = openGroups(m.opts, work.Path())
	ctx, stop := context.WithCancel(context.Background())
	m.stopLook = stop
	m.looking.Go(func() { m.look(ctx) })
	return nil
}

// starterFor returns who starts children of a user.
func (m *Manager) starterFor(u *User) *starter {
	if u == nil {
		return m.starter
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.confined == nil {
		m.confined = newConfinedStarter()
	}
	return m.confined
}

// Start starts a child. Its files are closed in every case. The error is of
// kind Invalid for a spec that cannot be; where the program cannot be started an
// [End] of cause NotStarted is in it.
func (m *Manager) Start(s Spec) (_ *Process, err error) {
	defer errtypes.Wrap(&err, "child.Start(%q)", filepath.Base(s.Path))
	defer func() { s.closeFiles() }()
	if s, err = s.checked(); err != nil {
		return nil, err
	}
	p, err := m.enter(s)
	if err != nil {
		return nil, err
	}
	err = p.start()
	s = p.spec
	if err != nil {
		m.leave(p)
		return nil, End{Cause: NotStarted, Code: -1, Reason: err, Started: p.started, Ended: p.started}
	}
	m.begin(p)
	return p, nil
}

// enter counts a child in, so that Close waits for it.
func (m *Manager) enter(s Spec) (*Process, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.settle(); err != nil {
		return nil, err
	}
	m.counter++
	m.living.Add(1)
	return newProcess(m, s, strconv.Itoa(m.counter)), nil
}

// leave counts a child out.
func (m *Manager) leave(p *Process) {
	m.mu.Lock()
	delete(m.children, p)
	m.mu.Unlock()
	m.living.Done()
}

// begin makes a child that has been started known to those who look and close.
func (m *Manager) begin(p *Process) {
	m.mu.Lock()
	m.children[p] = struct{}{}
	closed := m.closed
	m.mu.Unlock()
	lifecycle.Poke(m.arrived)
	go p.watch()
	p.limitTime()
	if p.spec.Limits.Disk > 0 {
		go p.watchDisk()
	}
	if closed {
		p.end(HostClosing, nil)
	}
}

// running lists the children.
func (m *Manager) running() []*Process {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Keys(m.children))
}

// Close asks all children to leave, kills those that do not, and waits until
// nothing is left of any. It may be called more than once.
func (m *Manager) Close() (err error) {
	defer errtypes.Wrap(&err, "child.Close")
	m.mu.Lock()
	again := m.closed
	m.closed = true
	m.mu.Unlock()
	for _, p := range m.running() {
		p.end(HostClosing, nil)
	}
	m.living.Wait()
	if m.work == nil { // nothing was ever started
		return nil
	}
	m.stopLook()
	m.looking.Wait()
	if again {
		return nil
	}
	m.starter.stop()
	if m.confined != nil {
		m.confined.stop()
	}
	return errors.Join(m.groups.remove(), m.work.Remove())
}
