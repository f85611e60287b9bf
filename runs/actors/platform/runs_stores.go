package platform

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
)

// runStores are the default stores of a run, below it.
var runStores = []struct {
	name string
	kind records.Kind
	of   func(r actors.RunInfo) (id string)
}{
	{"/dataset", records.Dataset, func(r actors.RunInfo) string { return r.DatasetID }},
	{"/key-value-store", records.KeyValueStore, func(r actors.RunInfo) string { return r.KeyValueStoreID }},
	{"/request-queue", records.RequestQueue, func(r actors.RunInfo) string { return r.RequestQueueID }},
}

// belowRuns are the routes of the default stores of a run, and of the last run all
// that a run has below it. They do what others do that the document describes, and
// need a token.
func belowRuns() (all []Route) {
	below := storesOfRun()
	for _, r := range runRoutes {
		if rest, ok := strings.CutPrefix(r.Pattern, oneRun+"/"); ok {
			r.Pattern = "/" + rest
			all = append(all, r)
		}
	}
	all = append(all, below...)
	var last []Route
	for _, s := range []starter{ofActors, ofTasks} {
		for _, r := range all {
			r.Pattern, r.call, r.open = s.pattern+"/runs/last"+r.Pattern, s.last(r.call), false
			last = append(last, r)
		}
	}
	for i := range below {
		below[i].Pattern = oneRun + below[i].Pattern
	}
	return append(below, last...)
}

// storesOfRun are the routes of stores with those of a run in their place; the
// patterns are what stands behind a run.
func storesOfRun() (all []Route) {
	for _, of := range runStores {
		for _, r := range slices.Concat(storeRoutes(of.kind), datasetRoutes, keyValueRoutes, queueRoutes) {
			if rest, ok := strings.CutPrefix(r.Pattern, storePaths[of.kind]+"/{storeId}"); ok {
				all = append(all, Route{Method: r.Method, Pattern: of.name + rest, Rate: r.Rate, open: r.open, call: inStore(of.of, r.call)})
			}
		}
	}
	return all
}

// inStore does with a store of the run what a call does with one that the path
// names.
func inStore(of func(actors.RunInfo) string, do call) call {
	return func(x *exchange) (answer, error) {
		r, err := x.Actors.Run(x.R.Context(), x.Path("runId"))
		if err != nil {
			return answer{}, err
		}
		x.find("storeId", of(r))
		return do(x)
	}
}
