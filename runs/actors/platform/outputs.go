package platform

import (
	"encoding/json"
	"regexp"
	"sync"

	"github.com/drover-go/drover/runs/actors"
)

// outputs are the output schemas of builds, which never change: the templates of where a
// run has put what, by name.
type outputs struct {
	mu      sync.Mutex
	ofBuild map[string]map[string]string
}

// maxOutputs is how many builds are remembered.
const maxOutputs = 1000

// of returns the templates of a build; nil for none. Definition returns the definition of
// its Actor, and is false for a build that has not ended.
func (o *outputs) of(buildID string, definition func() (json.RawMessage, bool)) map[string]string {
	o.mu.Lock()
	known, ok := o.ofBuild[buildID]
	o.mu.Unlock()
	if ok {
		return known
	}
	text, ok := definition()
	if !ok {
		return nil
	}
	templates := templatesOf(text)
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.ofBuild) >= maxOutputs || o.ofBuild == nil {
		o.ofBuild = map[string]map[string]string{}
	}
	o.ofBuild[buildID] = templates
	return templates
}

func templatesOf(definition json.RawMessage) map[string]string {
	var d struct {
		Output struct {
			Properties map[string]struct{ Template string }
		}
	}
	if len(definition) == 0 || json.Unmarshal(definition, &d) != nil || len(d.Output.Properties) == 0 {
		return nil
	}
	templates := map[string]string{}
	for name, p := range d.Output.Properties {
		templates[name] = p.Template
	}
	return templates
}

var variable = regexp.MustCompile(`\{\{\s*([A-Za-z.]+)\s*\}\}`)

// runOutput is where a run has put what its Actor says that it puts out; nil where that
// says nothing.
func (x *exchange) runOutput(r actors.RunInfo) map[string]string {
	build, _ := r.FirstBuild()
	if build == "" { // no run was found
		return nil
	}
	return outputAt(r, x.Base(), x.outputs.of(build, func() (json.RawMessage, bool) {
		b, err := x.Actors.GetBuild(x.R.Context(), build)
		return b.Definition, err == nil && b.Status.Final()
	}))
}

// outputAt fills in templates for a run; nil for none. A variable that is not known stays
// as it is.
func outputAt(r actors.RunInfo, base string, templates map[string]string) map[string]string {
	if templates == nil {
		return nil
	}
	base += "/v2/"
	run, dataset, store := base+"actor-runs/"+r.ID, base+"datasets/"+r.DatasetID, base+"key-value-stores/"+r.KeyValueStoreID
	values := map[string]string{
		"links.publicRunUrl": run, "links.consoleRunUrl": run, "links.apiRunUrl": run, "links.apiDefaultDatasetUrl": dataset, "links.apiDefaultKeyValueStoreUrl": store,
		"run.id": r.ID, "run.actId": r.ActorID, "run.defaultDatasetId": r.DatasetID, "run.defaultKeyValueStoreId": r.KeyValueStoreID, "run.defaultRequestQueueId": r.RequestQueueID,
		"storages.datasets.default.apiUrl": dataset, "storages.keyValueStores.default.apiUrl": store,
	}
	out := make(map[string]string, len(templates))
	for name, template := range templates {
		out[name] = variable.ReplaceAllStringFunc(template, func(found string) string {
			if value, ok := values[variable.FindStringSubmatch(found)[1]]; ok {
				return value
			}
			return found
		})
	}
	return out
}
