package functions

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/functions/internal/publish"
)

// Workshop makes programs of other kinds where those of functions are made.
func (p *Programs) Workshop() builds.Workshop { return workshop{p} }

type workshop struct{ p *Programs }

func (w workshop) Usable(ctx context.Context) error { return w.p.usable(ctx) }

func (w workshop) Memory() int64 { return w.p.conf.BuildMemory }

func (w workshop) Make(ctx context.Context, id string, do func(ctx context.Context, p builds.Workplace) error) (err error) {
	defer func() { err = orFull(err) }()
	if err := w.p.begin(ctx); err != nil {
		return err
	}
	dir, err := w.p.fresh()
	if err != nil {
		return err
	}
	if err = do(ctx, workplace{w.p.publisher, dir}); err == nil {
		err = w.p.keep(dir, built{id: id, bundle: "."})
	}
	if err != nil {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}

func (w workshop) Ready(ctx context.Context, id string, do func(ctx context.Context, p builds.Workplace) error) (dir string, err error) {
	if err := w.p.begin(ctx); err != nil {
		return "", err
	}
	b := built{id: id, bundle: "."}
	if dir = w.p.built.Path(id); w.p.whole(b) {
		return dir, nil
	}
	unlock, err := w.p.built.Lock(ctx, id)
	if err != nil {
		return "", err
	}
	defer unlock()
	if w.p.whole(b) { // another has made it
		return dir, nil
	}
	return dir, w.Make(ctx, id, do)
}

func (w workshop) Drop(id string) { w.p.drop(id) }

func (w workshop) Needs(needed func(ctx context.Context, id string) (bool, error)) {
	if w.p == nil {
		return
	}
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	w.p.needs = append(w.p.needs, needed)
}

// needed reports whether anybody needs a program.
func (p *Programs) needed(ctx context.Context, id string) (bool, error) {
	p.mu.Lock()
	all := p.needs
	p.mu.Unlock()
	for _, ask := range all {
		if needed, err := ask(ctx, id); needed || err != nil {
			return needed, err
		}
	}
	return false, nil
}

// workplace is where a program is made.
type workplace struct {
	publisher *publish.Publisher
	dir       string
}

func (w workplace) Dir() string { return w.dir }

func (w workplace) Unpack(ctx context.Context, archive io.ReadSeeker, skip []string) ([]string, error) {
	return w.publisher.Unpack(ctx, archive, w.dir, skip)
}

func (w workplace) Install(ctx context.Context, in builds.Wanted) ([]byte, error) {
	return w.publisher.Install(ctx, publish.Wanted{Project: in.Project, Lock: in.Lock, Omit: in.Omit, Alone: in.Alone}, w.dir, in.Log)
}

func (w workplace) Script(ctx context.Context, name string, env []string, log func(line string)) error {
	return w.publisher.Script(ctx, w.dir, name, env, log)
}

func (w workplace) Prune(ctx context.Context, omit []string, log func(line string)) error {
	return w.publisher.Prune(ctx, w.dir, omit, log)
}
