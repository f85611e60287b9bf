package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// itemsFlags say which items of a dataset are printed, and how.
type itemsFlags struct {
	Format string   `enum:"json,jsonl,csv,xml,html,xlsx,rss" default:"json" help:"Format of items: ${enum}. Default ${default}." placeholder:"FORMAT"`
	Fields []string `help:"Only these members of items, in this order, commas between." placeholder:"NAME"`
	Omit   []string `help:"Without these members." placeholder:"NAME"`
	Unwind []string `help:"Make an item of each element of these members." placeholder:"NAME"`
	Offset int64    `help:"Leave so many items out, of those that come first." placeholder:"N"`
	Limit  int64    `help:"So many items at the most. Default all." placeholder:"N"`
	Desc   bool     `help:"The newest item first."`
	Clean  bool     `help:"Without hidden members, whose names begin with #, and without empty items."`
}

// query is what the service is asked for.
func (f itemsFlags) query() (string, error) {
	if f.Offset < 0 || f.Limit < 0 {
		return "", errtypes.New(errtypes.Invalid, "--offset and --limit must not be below 0")
	}
	q := url.Values{"format": {f.Format}}
	for name, list := range map[string][]string{"fields": f.Fields, "omit": f.Omit, "unwind": f.Unwind} {
		if len(list) > 0 {
			q.Set(name, strings.Join(list, ","))
		}
	}
	for name, n := range map[string]int64{"offset": f.Offset, "limit": f.Limit} {
		if n > 0 {
			q.Set(name, strconv.FormatInt(n, 10))
		}
	}
	for name, is := range map[string]bool{"desc": f.Desc, "clean": f.Clean} {
		if is {
			q.Set(name, "1")
		}
	}
	return q.Encode(), nil
}

type recordsGetCmd struct {
	place
	ofKind
	toFile
	itemsFlags
	Store  string `arg:"" help:"Store, by id or name."`
	Record string `arg:"" optional:"" help:"Key of the record of a key-value store."`
}

// Run prints a record as it was stored, or items and requests while they are read.
func (cmd recordsGetCmd) Run(ctx context.Context, c console) error {
	query, err := cmd.query()
	if err != nil {
		return err
	}
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		s, err := api.store(ctx, cmd.sought(), cmd.Store)
		if err != nil {
			return err
		}
		switch s.kind {
		case keyValueKind:
			if cmd.Record == "" {
				return errtypes.New(errtypes.Invalid, `which record? "drover records ls %s" lists the keys of the store`, cmd.Store)
			}
			return api.saveRecord(ctx, c, s, cmd.Record, cmd.toFile)
		case datasetKind:
			return api.saveContent(ctx, c, s.path("/items?"+query), cmd.toFile)
		}
		return cmd.requests(ctx, c, api, s)
	})
}

// sought are the kinds that a store may be of: only some have records.
func (cmd recordsGetCmd) sought() []storeKind {
	if cmd.Record != "" && cmd.Kind == "" {
		return []storeKind{keyValueKind}
	}
	return cmd.kinds()
}

// saveRecord saves one record.
func (a *apiClient) saveRecord(ctx context.Context, c console, s storeState, key string, to toFile) error {
	err := a.saveContent(ctx, c, s.path("/records/"+url.PathEscape(key)), to)
	if isMissing(err) {
		return missing("record", key, "drover records ls "+s.ID)
	}
	return err
}

func (a *apiClient) saveContent(ctx context.Context, c console, path string, to toFile) (err error) {
	resp, err := a.open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	return to.save(c, resp)
}

// requests prints the requests of a queue, each in a line.
func (cmd recordsGetCmd) requests(ctx context.Context, c console, api *apiClient, s storeState) error {
	if cmd.Output != "-" {
		return errtypes.Field("--output", "is for records and items: requests go to standard output")
	}
	return api.requests(ctx, s, url.Values{}, func(page []json.RawMessage) error {
		for _, raw := range page {
			if _, err := c.stdout.Write(append(raw, '\n')); err != nil {
				return err
			}
		}
		return nil
	})
}
