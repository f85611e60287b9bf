package functions

import (
	"context"
	"errors"
	"sync"

	"github.com/drover-go/drover/functions/internal/nodejs"
	"github.com/drover-go/drover/internal/child"
)

// nodeCheck is whether the Node.js of the host can run programs. It takes a process,
// and so it is asked when that matters first: opening starts nothing. One that is too
// old is asked again, for it may be replaced.
type nodeCheck struct {
	mu sync.Mutex
	ok bool
}

// usable returns why nothing can be published or run here; nil where it can. Error
// kind Unavailable.
func (p *Programs) usable(ctx context.Context) error {
	if err := p.Missing(); err != nil {
		return err
	}
	p.node.mu.Lock()
	defer p.node.mu.Unlock()
	if p.node.ok {
		return nil
	}
	version, err := nodejs.Version(ctx, p.conf.Children, p.tools.Node)
	if err == nil {
		err = nodejs.Check(version)
	}
	p.node.ok = err == nil
	return err
}

// begin makes what building and running needs, once, where it is usable.
func (p *Programs) begin(ctx context.Context) error {
	if err := p.usable(ctx); err != nil {
		return err
	}
	p.once.Do(func() { p.err = p.open() })
	return p.err
}

// NodeFound returns the Node.js that would run programs, an absolute path, and its
// version, such as "v20.11.1". Error kinds: Invalid for one that is named and not
// there; Unavailable where there is none, where it does not start, and, with path and
// version, where it is too old.
func NodeFound(ctx context.Context, o ProgramOptions) (path, version string, err error) {
	tools, err := nodejs.Find(nodejs.Tools{Node: o.Node, Npm: o.Npm, Pnpm: o.Pnpm})
	if err != nil {
		return "", "", err
	}
	children, err := child.Open(child.Options{Leave: true})
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, children.Close()) }()
	if version, err = nodejs.Version(ctx, children, tools.Node); err == nil {
		err = nodejs.Check(version)
	}
	return tools.Node, version, err
}
