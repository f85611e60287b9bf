package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// recordsCmd are about datasets, key-value stores and request queues, of a running
// service or of the data of one that does not run.
type recordsCmd struct {
	Ls   recordsLsCmd   `cmd:"" help:"List the stores of a project, or what one has."`
	Get  recordsGetCmd  `cmd:"" help:"Print a record, the items of a dataset, or the requests of a queue."`
	Push recordsPushCmd `cmd:"" help:"Put items into a dataset, a record into a key-value store, or addresses into a queue."`
}

// storeKind is a kind of stores.
type storeKind struct {
	name, path string
}

var (
	datasetKind  = storeKind{"dataset", "/v2/datasets"}
	keyValueKind = storeKind{"key-value-store", "/v2/key-value-stores"}
	queueKind    = storeKind{"request-queue", "/v2/request-queues"}
	storeKinds   = []storeKind{datasetKind, keyValueKind, queueKind}
)

// ofKind is the flag that names a kind of stores.
type ofKind struct {
	Kind string `short:"k" enum:",dataset,key-value-store,request-queue" default:"" help:"Kind of the store: dataset, key-value-store or request-queue. Default any." placeholder:"KIND"`
}

// kinds are those that the flag leaves.
func (o ofKind) kinds() []storeKind {
	for _, k := range storeKinds {
		if k.name == o.Kind {
			return []storeKind{k}
		}
	}
	return storeKinds
}

// storeState is what a store says of itself, without what signs its URLs.
type storeState struct {
	Kind       string    `json:"kind"`
	ID         string    `json:"id"`
	Name       string    `json:"name,omitempty"`
	Items      *int64    `json:"itemCount,omitempty"`
	Total      *int64    `json:"totalRequestCount,omitempty"`
	Handled    *int64    `json:"handledRequestCount,omitempty"`
	Pending    *int64    `json:"pendingRequestCount,omitempty"`
	CreatedAt  time.Time `json:"createdAt"`
	ModifiedAt time.Time `json:"modifiedAt"`
	Stats      struct {
		Bytes int64 `json:"storageBytes"`
	} `json:"stats"`

	kind storeKind
}

// of says which kind a store is of, which it does not say itself.
func (s storeState) of(k storeKind) storeState {
	s.Kind, s.kind = k.name, k
	return s
}

func (s storeState) path(below string) string {
	return s.kind.path + "/" + url.PathEscape(s.ID) + below
}

// label is what messages call a store.
func (s storeState) label() string {
	if s.Name == "" {
		return s.Kind + " " + s.ID
	}
	return fmt.Sprintf("%s %s (%s)", s.Kind, nameText(s.Name), s.ID)
}

// content says how much a store has.
func (s storeState) content() string {
	switch {
	case s.Items != nil:
		return fmt.Sprintf("%d items", *s.Items)
	case s.Pending != nil && s.Total != nil:
		return fmt.Sprintf("%d of %d requests pending", *s.Pending, *s.Total)
	}
	return bytesText(s.Stats.Bytes)
}

// stores finds those of the kinds that an id or a name names.
func (a *apiClient) stores(ctx context.Context, kinds []storeKind, ref string) (all []storeState, err error) {
	for _, k := range kinds {
		var s storeState
		there, err := a.find(ctx, k.path, ref, &s)
		if err != nil {
			return nil, err
		}
		if there {
			all = append(all, s.of(k))
		}
	}
	return all, nil
}

// store finds the one that is meant.
func (a *apiClient) store(ctx context.Context, kinds []storeKind, ref string) (storeState, error) {
	all, err := a.stores(ctx, kinds, ref)
	switch {
	case err != nil:
		return storeState{}, err
	case len(all) == 0:
		what := "store"
		if len(kinds) == 1 {
			what = kinds[0].name
		}
		return storeState{}, missing(what, ref, "drover records ls --all")
	case len(all) > 1:
		var names []string
		for _, s := range all {
			names = append(names, s.Kind)
		}
		return storeState{}, errtypes.New(errtypes.Conflict, "%q is the name of a %s: --kind says which is meant", ref, strings.Join(names, " and of a "))
	}
	return all[0], nil
}
