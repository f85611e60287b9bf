package recipe

import "path"

// manifest is what matters of package.json.
type manifest struct {
	scripts map[string]string
	main    string
}

// manifest reads package.json.
func (r *reader) manifest() (m manifest, err error) {
	text, found, err := r.file("package.json")
	if err != nil || !found {
		return m, err
	}
	o, err := object("package.json", text)
	if err != nil {
		return m, err
	}
	r.Package = true
	m.main, _ = o["main"].(string)
	m.scripts = map[string]string{}
	scripts, _ := o["scripts"].(map[string]any)
	for name, script := range scripts {
		if text, ok := script.(string); ok && text != "" {
			m.scripts[name] = text
		}
	}
	return m, nil
}

// build says what is installed and which scripts are run.
func (r *reader) build(d *dockerfile, m manifest) {
	r.Omit = []string{"dev", "optional"}
	switch {
	case d == nil && m.scripts["build"] != "":
		r.Scripts = []string{"build"}
	case d != nil:
		if d.omit != nil {
			r.Omit = d.omit
		}
		for _, name := range d.scripts {
			if m.scripts[name] == "" {
				r.note("Left out of the Dockerfile: npm run %s, which package.json does not have", name)
				continue
			}
			r.Scripts = append(r.Scripts, name)
		}
	}
}

// start says how the Actor is started.
func (r *reader) start(d *dockerfile, m manifest) error {
	r.Dir = "."
	if d != nil {
		r.Env, r.Dir = d.last().environment(), d.last().dir
		r.Start = d.last().command()
	}
	switch {
	case len(r.Start) > 0:
		r.Start = direct(r.Start, m)
	case m.scripts["start"] != "":
		r.Start = direct([]string{"npm", "start"}, m)
	case m.main != "":
		r.Start = []string{"node", path.Clean(m.main)}
	default:
		for _, name := range []string{"main.js", "index.js"} {
			if _, found, _ := r.file(name); found {
				r.Start = []string{"node", name}
				return nil
			}
		}
		return r.nothingToStart()
	}
	return nil
}

func (r *reader) nothingToStart() error {
	for _, name := range []string{"requirements.txt", "pyproject.toml", "main.py", "src/__main__.py"} {
		if _, found, _ := r.file(name); found && !r.Package {
			return invalid("the source is in Python, and this host builds Actors of Node.js")
		}
	}
	return invalid("there is nothing to start: neither a CMD in a Dockerfile, nor a start script or main in package.json, nor a main.js")
}
