package recipe

import "encoding/json"

// definition reads actor.json, and in the place of the files that it names what these
// say.
func (r *reader) definition() error {
	name, text, err := r.first(actorFolder+"/actor.json", "actor.json")
	if err != nil {
		return err
	}
	if name == "" {
		r.note("There is no %s/actor.json", actorFolder)
		return r.withoutDefinition()
	}
	d, err := object(name, text)
	if err != nil {
		return err
	}
	r.docker, _ = d["dockerfile"].(string)
	for _, field := range []string{"input", "output"} { // and what newer tools write
		if d[field] == nil && d[field+"Schema"] != nil {
			d[field] = d[field+"Schema"]
		}
		if err := r.inline(d, field, "the "+field+" schema"); err != nil {
			return err
		}
	}
	if err := r.inlineStorages(d["storages"]); err != nil {
		return err
	}
	if err := r.input(d["input"]); err != nil {
		return err
	}
	if r.Definition, err = json.Marshal(d); err != nil {
		return err
	}
	named, _ := d["readme"].(string)
	return r.readme(named)
}

func (r *reader) withoutDefinition() error {
	if err := r.input(nil); err != nil {
		return err
	}
	return r.readme("")
}

// inline puts the object of a file in the place of its path.
func (r *reader) inline(in map[string]any, field, what string) error {
	named, ok := in[field].(string)
	if !ok {
		return nil
	}
	name := beside(named)
	text, found, err := r.file(name)
	if err != nil {
		return err
	}
	if !found {
		return invalid("%s, %s, is not in the source", what, named)
	}
	o, err := object(name, text)
	in[field] = o
	return err
}

func (r *reader) inlineStorages(storages any) error {
	all, _ := storages.(map[string]any)
	for _, field := range []string{"dataset", "keyValueStore", "requestQueue"} {
		if err := r.inline(all, field, "the schema of the "+field); err != nil {
			return err
		}
	}
	datasets, _ := all["datasets"].(map[string]any)
	for name := range datasets {
		if err := r.inline(datasets, name, "the schema of the dataset "+name); err != nil {
			return err
		}
	}
	return nil
}

// input takes the input schema of the definition, or of a file of its own.
func (r *reader) input(schema any) error {
	if schema == nil {
		name, text, err := r.first(actorFolder+"/INPUT_SCHEMA.json", "INPUT_SCHEMA.json", actorFolder+"/input_schema.json", "input_schema.json")
		if err != nil || name == "" {
			return err
		}
		if schema, err = object(name, text); err != nil {
			return err
		}
	}
	o, ok := schema.(map[string]any)
	if !ok {
		return invalid("the input of actor.json must be a schema, or the path of one")
	}
	text, err := json.MarshalIndent(o, "", "    ")
	if err != nil {
		return err
	}
	if len(text) > maxInputSchema {
		return invalid("the input schema must be at most %d bytes", maxInputSchema)
	}
	r.InputSchema = string(text)
	return checkInputSchema(o)
}

// readme takes what is there for people to read.
func (r *reader) readme(named string) error {
	names := []string{actorFolder + "/README.md", "README.md", "readme.md"}
	if named != "" {
		names = []string{beside(named)}
	}
	_, text, err := r.first(names...)
	r.Readme = string(text)
	return err
}
