package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"

	"golang.org/x/term"

	"github.com/drover-go/drover/errtypes"
)

type recordsPushCmd struct {
	onService
	ofKind
	Store       string   `arg:"" help:"Store, by id or name. One of the name is made where there is none."`
	Record      string   `arg:"" optional:"" help:"Key of the record that is put into a key-value store. Default none: items or requests are pushed."`
	File        string   `short:"f" default:"-" help:"File that is read; - for standard input. Items: an object, an array, or an object a line, in JSON. Requests: the same, or an address a line. Default ${default}." placeholder:"FILE"`
	URL         []string `name:"url" sep:"none" help:"Address to put into a queue, in the place of a file. Repeatable." placeholder:"URL"`
	ContentType string   `help:"Media type of the record. Default that of the file's name, else what its content looks like." placeholder:"TYPE"`
	Forefront   bool     `help:"Put requests before all others."`
	Skip        int64    `help:"Leave out so many items: to go on after a push that failed."`
}

// Validate refuses flags that do not go together.
func (cmd recordsPushCmd) Validate() error {
	switch kind := cmd.kind(); {
	case cmd.Skip < 0:
		return errors.New("--skip must not be below 0")
	case cmd.Record != "" && kind != keyValueKind:
		return fmt.Errorf("a %s has no records: leave out the key", kind.name)
	case cmd.Record == "" && kind == keyValueKind:
		return errors.New("a record needs a key: drover records push STORE KEY")
	case len(cmd.URL) > 0 && (kind != queueKind || cmd.File != "-"):
		return errors.New("--url is for queues, and takes the place of --file")
	case cmd.ContentType != "" && kind != keyValueKind:
		return errors.New("--content-type is that of a record: give its key")
	}
	return nil
}

// kind is that of a store which is made: what is pushed tells.
func (cmd recordsPushCmd) kind() storeKind {
	switch {
	case cmd.Kind != "":
		return cmd.kinds()[0]
	case cmd.Record != "":
		return keyValueKind
	case len(cmd.URL) > 0 || cmd.Forefront:
		return queueKind
	}
	return datasetKind
}

// Run pushes what it is given.
func (cmd recordsPushCmd) Run(ctx context.Context, c console) error {
	in, err := cmd.open(c)
	if err != nil {
		return err
	}
	defer in.Close()
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		s, there, err := cmd.find(ctx, api)
		if err != nil {
			return err
		}
		v := cmd.values(in, s.kind)
		if !there {
			if s, err = cmd.make(ctx, c, api, v); err != nil {
				return err
			}
		}
		var n int64 = 1
		switch s.kind {
		case keyValueKind:
			err = cmd.put(ctx, api, s, in)
		case datasetKind:
			n, err = pushing{api, s, c, cmd.Skip}.items(ctx, v)
		default:
			n, err = pushing{api, s, c, cmd.Skip}.requests(ctx, v, cmd.Forefront)
		}
		if err != nil {
			return err
		}
		return cmd.done(c, s, n)
	})
}

// open opens what is read.
func (cmd recordsPushCmd) open(c console) (io.ReadCloser, error) {
	switch {
	case len(cmd.URL) > 0:
		return io.NopCloser(nil), nil
	case cmd.File != "-":
		f, err := os.Open(cmd.File)
		if err != nil {
			return nil, errtypes.New(errtypes.Invalid, "the file cannot be read: %v", err)
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return nil, errors.Join(errtypes.Field("--file", "must name a file: %s is a directory", cmd.File), f.Close())
		}
		return f, nil
	}
	if term.IsTerminal(int(os.Stdin.Fd())) {
		fmt.Fprintln(c.stderr, "Reading standard input, up to its end (Ctrl-D)")
	}
	return io.NopCloser(os.Stdin), nil
}

func (cmd recordsPushCmd) values(in io.Reader, kind storeKind) *values {
	if len(cmd.URL) > 0 {
		return givenURLs(cmd.URL)
	}
	return newValues(in, kind == queueKind)
}

// find finds the store; where it is not there, its kind alone is known.
func (cmd recordsPushCmd) find(ctx context.Context, api *apiClient) (s storeState, there bool, err error) {
	kinds := cmd.kinds()
	if cmd.Record != "" || cmd.Kind == "" && cmd.kind() == queueKind {
		kinds = []storeKind{cmd.kind()}
	} else if cmd.Kind == "" {
		kinds = []storeKind{datasetKind, queueKind}
	}
	all, err := api.stores(ctx, kinds, cmd.Store)
	if err != nil || len(all) == 0 {
		return s.of(cmd.kind()), false, err
	}
	return all[0], true, nil // of two of one name the one that takes items
}

// make makes the store, once it is known that there is something to put into it.
func (cmd recordsPushCmd) make(ctx context.Context, c console, api *apiClient, v *values) (s storeState, err error) {
	if err := cmd.noKey(ctx, api); err != nil {
		return s, err
	}
	if most := map[storeKind]int{datasetKind: batchItems, queueKind: batchRequests}[cmd.kind()]; most > 0 {
		if err := v.look(most); err != nil {
			return s, fmt.Errorf("%s; nothing was pushed, and no store was made", diagnose(err))
		}
	}
	err = api.ask(ctx, "POST", cmd.kind().path+"?"+url.Values{"name": {cmd.Store}}.Encode(), nil, &s)
	s = s.of(cmd.kind())
	if err == nil {
		fmt.Fprintln(c.stderr, "Made", s.label())
	}
	return s, err
}

// noKey refuses items for a key-value store, in the place of making a dataset of its
// name.
func (cmd recordsPushCmd) noKey(ctx context.Context, api *apiClient) error {
	if cmd.kind() == keyValueKind || cmd.Kind != "" {
		return nil
	}
	all, err := api.stores(ctx, []storeKind{keyValueKind}, cmd.Store)
	if err == nil && len(all) > 0 {
		err = errtypes.New(errtypes.Invalid, "%s takes records, which need a key: drover records push STORE KEY; --kind dataset makes a dataset of the name", all[0].label())
	}
	return err
}

// done says what has been pushed.
func (cmd recordsPushCmd) done(c console, s storeState, n int64) error {
	if cmd.JSON {
		return printValue(c.stdout, map[string]any{"kind": s.Kind, "id": s.ID, "name": s.Name, "pushed": n})
	}
	what := map[storeKind]string{datasetKind: "items", queueKind: "requests"}[s.kind]
	if s.kind == keyValueKind {
		fmt.Fprintf(c.stdout, "Put record %s into %s.\n", oneLine(cmd.Record), s.label())
		return nil
	}
	fmt.Fprintf(c.stdout, "Pushed %d %s to %s.\n", n, what, s.label())
	return nil
}
