package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"text/tabwriter"
)

type recordsLsCmd struct {
	onService
	ofKind
	Store string `arg:"" optional:"" help:"Store whose content is listed, by id or name. Default all stores are listed."`
	All   bool   `short:"a" help:"List stores without a name, too, such as those of runs."`
}

// Run prints one line a store, a key or a request that waits.
func (cmd recordsLsCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		if cmd.Store == "" {
			return cmd.list(ctx, c, api)
		}
		s, err := api.store(ctx, cmd.kinds(), cmd.Store)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stderr, "%s, %s\n", s.label(), s.content())
		switch {
		case s.kind == keyValueKind:
			return cmd.keys(ctx, c, api, s)
		case s.kind == queueKind && !cmd.JSON:
			return cmd.pending(ctx, c, api, s)
		case cmd.JSON:
			return printValue(c.stdout, s)
		}
		fmt.Fprintln(c.stdout, s.content())
		return nil
	})
}

// list prints the stores, a page at a time.
func (cmd recordsLsCmd) list(ctx context.Context, c console, api *apiClient) error {
	all := []storeState{}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	if !cmd.JSON {
		fmt.Fprintln(w, "KIND\tNAME\tID\tCONTENT\tMODIFIED")
	}
	for _, k := range cmd.kinds() {
		query := url.Values{}
		if cmd.All {
			query.Set("unnamed", "1")
		}
		if err := pages(ctx, api, k.path, query, 0, func(page []storeState) error {
			for _, s := range page {
				s = s.of(k)
				if cmd.JSON {
					all = append(all, s)
					continue
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", s.Kind, nameText(s.Name), s.ID, s.content(), zoned(s.ModifiedAt))
			}
			return nil
		}); err != nil {
			return err
		}
	}
	if cmd.JSON {
		return printValue(c.stdout, all)
	}
	return w.Flush()
}

// storeKey is a key of a key-value store.
type storeKey struct {
	Key  string `json:"key"`
	Size int64  `json:"size"`
	URL  string `json:"recordPublicUrl,omitempty"`
}

// keys calls a function with each page of the keys that begin so.
func (a *apiClient) keys(ctx context.Context, s storeState, prefix string, do func([]storeKey) error) error {
	query := url.Values{"limit": {"1000"}}
	if prefix != "" {
		query.Set("prefix", prefix)
	}
	for {
		var page struct {
			Items []storeKey
			Next  string `json:"nextExclusiveStartKey"`
		}
		if err := a.ask(ctx, "GET", s.path("/keys?"+query.Encode()), nil, &page); err != nil {
			return err
		}
		if err := do(page.Items); err != nil || page.Next == "" {
			return err
		}
		query.Set("exclusiveStartKey", page.Next)
	}
}

func (cmd recordsLsCmd) keys(ctx context.Context, c console, api *apiClient, s storeState) error {
	all := []storeKey{}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	if !cmd.JSON {
		fmt.Fprintln(w, "KEY\tSIZE")
	}
	err := api.keys(ctx, s, "", func(page []storeKey) error {
		for _, k := range page {
			if cmd.JSON {
				all = append(all, storeKey{Key: k.Key, Size: k.Size}) // whoever has the URL needs no key
				continue
			}
			fmt.Fprintf(w, "%s\t%s\n", oneLine(k.Key), bytesText(k.Size))
		}
		return w.Flush()
	})
	if err == nil && cmd.JSON {
		return printValue(c.stdout, all)
	}
	return err
}

// requests calls a function with each page of the requests of a queue.
func (a *apiClient) requests(ctx context.Context, s storeState, query url.Values, do func([]json.RawMessage) error) error {
	query.Set("limit", "1000")
	for {
		var page struct {
			Items      []json.RawMessage
			NextCursor string
		}
		if err := a.ask(ctx, "GET", s.path("/requests?"+query.Encode()), nil, &page); err != nil {
			return err
		}
		if err := do(page.Items); err != nil || page.NextCursor == "" {
			return err
		}
		query.Set("cursor", page.NextCursor)
	}
}

// pending prints the requests that wait.
func (cmd recordsLsCmd) pending(ctx context.Context, c console, api *apiClient, s storeState) error {
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tMETHOD\tRETRIES\tURL")
	return api.requests(ctx, s, url.Values{"filter": {"pending"}}, func(page []json.RawMessage) error {
		for _, raw := range page {
			var r struct {
				ID, Method, URL string
				RetryCount      int
			}
			if err := json.Unmarshal(raw, &r); err != nil {
				return err
			}
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", oneLine(r.ID), oneLine(r.Method), r.RetryCount, oneLine(r.URL))
		}
		return w.Flush()
	})
}
