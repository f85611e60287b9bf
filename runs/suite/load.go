package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// configFile describes a suite.
const configFile = "suite.json"

// config is that file.
type config struct {
	Title    string   `json:"title"`
	MaxSteps int      `json:"maxSteps"`
	Time     Duration `json:"time"`
	Adapter  *Adapter `json:"adapter"`
	// Tasks are tasks, or patterns of files that have one each.
	Tasks []json.RawMessage `json:"tasks"`
}

// Load reads a suite. Error kind Invalid, which names the file and the field.
func Load(files fs.FS) (_ *Suite, err error) {
	defer errtypes.Wrap(&err, "suite.Load")
	var c config
	if err := readJSON(files, configFile, &c); err != nil {
		return nil, err
	}
	s := &Suite{Title: c.Title, Adapter: c.Adapter, files: files, hidden: map[string]bool{configFile: true}}
	for i, raw := range c.Tasks {
		if err := s.add(raw, fmt.Sprintf("tasks[%d]", i)); err != nil {
			return nil, err
		}
	}
	if len(s.Tasks) == 0 {
		return nil, errtypes.Field(configFile, "has no tasks")
	}
	seen := map[string]bool{}
	for i := range s.Tasks {
		if err := s.finish(&s.Tasks[i], c); err != nil {
			return nil, err
		}
		if id := s.Tasks[i].ID; seen[id] {
			return nil, errtypes.Field(id, "is the id of two tasks")
		}
		seen[s.Tasks[i].ID] = true
	}
	return s, s.checkAdapter()
}

// add takes a task, or those of the files that a pattern means.
func (s *Suite) add(raw json.RawMessage, at string) error {
	var pattern string
	if json.Unmarshal(raw, &pattern) != nil {
		var t Task
		if err := decode(raw, at, &t); err != nil {
			return err
		}
		s.Tasks = append(s.Tasks, t)
		return nil
	}
	names, err := fs.Glob(s.files, pattern)
	if err != nil || len(names) == 0 {
		return errtypes.Field(at, "means no file: %q", pattern)
	}
	for _, name := range names {
		if name == configFile {
			continue
		}
		t := Task{ID: strings.TrimSuffix(path.Base(name), path.Ext(name))}
		t.Page = strings.TrimSuffix(name, path.Ext(name)) + ".html"
		if err := readJSON(s.files, name, &t); err != nil {
			return err
		}
		s.Tasks, s.hidden[name] = append(s.Tasks, t), true
	}
	return nil
}

// finish checks a task and puts in what the suite says for all.
func (s *Suite) finish(t *Task, c config) error {
	if t.ID == "" {
		return errtypes.Field(configFile, "has a task without an id")
	}
	if t.Page == "" {
		t.Page = t.ID + ".html"
	}
	t.Page = strings.TrimPrefix(t.Page, "/")
	file, _, _ := strings.Cut(t.Page, "?")
	if _, err := fs.Stat(s.files, file); err != nil {
		return errtypes.Field(t.ID+".page", "is no file of the suite: %q", file)
	}
	if t.Task == "" && s.Adapter == nil {
		return errtypes.Field(t.ID+".task", "must not be empty: no adapter reads it from the page")
	}
	if t.MaxSteps == 0 {
		t.MaxSteps = c.MaxSteps
	}
	if t.Time == 0 {
		t.Time = c.Time
	}
	if len(t.ResultSchema) == 0 && len(t.Expect) > 0 {
		t.ResultSchema = schemaOf(t.Expect)
	}
	for i, step := range t.Solution {
		if err := step.check(); err != nil {
			return errtypes.Field(fmt.Sprintf("%s.solution[%d]", t.ID, i), "%s", err)
		}
	}
	return nil
}

func (s *Suite) checkAdapter() error {
	if s.Adapter == nil || s.Adapter.Script == "" {
		return nil
	}
	if _, err := fs.Stat(s.files, s.Adapter.Script); err != nil {
		return errtypes.Field("adapter.script", "is no file of the suite: %q", s.Adapter.Script)
	}
	return nil
}

func readJSON(files fs.FS, name string, v any) error {
	raw, err := fs.ReadFile(files, name)
	if err != nil {
		return errtypes.Field(name, "cannot be read").WithCause(err)
	}
	return decode(raw, name, v)
}

func decode(raw []byte, at string, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return errtypes.Field(at, "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// schemaOf is a JSON Schema that an answer of the expected form fits.
func schemaOf(expect json.RawMessage) json.RawMessage {
	var v any
	if json.Unmarshal(expect, &v) != nil {
		return nil
	}
	raw, err := json.Marshal(shapeOf(v))
	if err != nil {
		return nil
	}
	return raw
}

func shapeOf(v any) map[string]any {
	switch v := v.(type) {
	case string:
		return map[string]any{"type": "string"}
	case float64:
		return map[string]any{"type": "number"}
	case bool:
		return map[string]any{"type": "boolean"}
	case []any:
		shape := map[string]any{"type": "array"}
		if len(v) > 0 {
			shape["items"] = shapeOf(v[0])
		}
		return shape
	case map[string]any:
		members, required := map[string]any{}, []string{}
		for name, member := range v {
			members[name], required = shapeOf(member), append(required, name)
		}
		return map[string]any{"type": "object", "properties": members, "required": required}
	}
	return map[string]any{}
}
