package policy

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// Which says in the same words that an id is somebody else's, or nobody's.
func notOwn(key string) error {
	return fmt.Errorf("%s names nothing in this session", key)
}

// owned checks an id, which must be there.
func owned(key string, owns func(World, string) bool) Check {
	return func(p *Params, w World) error {
		id, err := p.Text(key)
		if err == nil && !owns(w, id) {
			err = notOwn(key)
		}
		return err
	}
}

// given applies a check where the parameter is there.
func given(key string, check Check) Check {
	return func(p *Params, w World) error {
		if !p.Has(key) {
			return nil
		}
		return check(p, w)
	}
}

func ownTarget(key string) Check  { return owned(key, World.OwnsTarget) }
func ownSession(key string) Check { return owned(key, World.OwnsSession) }
func ownContext(key string) Check { return owned(key, World.OwnsContext) }

// inContext gives a command that names no browser context that of its target, or
// of the session, which its clients take for the default one. Without one the
// browser would go to its own default context, which is everybody's.
func inContext(p *Params, w World) error {
	if !p.Has("browserContextId") {
		if w.Context() == "" {
			return errors.New("the browser context of the target is not known")
		}
		p.Set("browserContextId", w.Context())
		return nil
	}
	return ownContext("browserContextId")(p, w)
}

func ownWindow(p *Params, w World) error {
	var id int64 = -1
	if err := p.Decode("windowId", &id); err != nil {
		return err
	}
	if !w.OwnsWindow(id) {
		return errors.New("windowId names no window of this session; ask Browser.getWindowForTarget first")
	}
	return nil
}

// address checks an address that a page is sent to.
func address(p *Params, _ World) error {
	url, err := p.Text("url")
	if err != nil {
		return err
	}
	return CheckURL(url)
}

// addressOrExtension also lets in the pages of the session's own extensions,
// whose workers its clients can speak to anyway.
func addressOrExtension(p *Params, w World) error {
	url, err := p.Text("url")
	if err != nil {
		return err
	}
	if rest, ok := strings.CutPrefix(url, "chrome-extension://"); ok {
		if id, _, _ := strings.Cut(rest, "/"); w.OwnsExtension(id) {
			return nil
		}
	}
	return CheckURL(url)
}

// hidden lets a client make a target that is no tab and ends with its
// connection, where the browser is the session's alone and the target is empty:
// nobody sees what is in one. Elsewhere the client gets a page.
func hidden(p *Params, w World) error {
	is, err := p.Flag("hidden")
	if err != nil || !is || !w.Alone() {
		p.Drop("hidden")
		return err
	}
	url, err := p.Text("url")
	if page, _, _ := strings.Cut(url, "#"); err != nil || page != "about:blank" {
		return cmp.Or(err, errors.New("url must be about:blank for a target that is hidden"))
	}
	p.Drop("newWindow")
	return nil
}

// flat insists on sessions that share the connection, with their id beside the
// command. The other form puts commands into strings within commands.
func flat(p *Params, _ World) error {
	if is, err := p.Flag("flatten"); err != nil || !is {
		return cmp.Or(err, errors.New("flatten must be true: only flat sessions are served"))
	}
	return nil
}

// flatIfOn is flat for a command that turns something on or off.
func flatIfOn(p *Params, w World) error {
	if on, err := p.Flag("autoAttach"); err != nil || !on {
		return err
	}
	return flat(p, w)
}

// only leaves every other parameter out.
func only(keys ...string) Check {
	return func(p *Params, _ World) error {
		kept := map[string]bool{}
		for _, key := range keys {
			kept[key] = true
		}
		for key := range p.fields {
			if !kept[key] {
				p.Drop(key)
			}
		}
		return nil
	}
}

// without refuses a parameter that says anything.
func without(key, why string) Check {
	return func(p *Params, _ World) error {
		if raw := string(p.fields[key]); p.Has(key) && raw != `""` && raw != "[]" && raw != "false" {
			return fmt.Errorf("%s is refused: %s", key, why)
		}
		return nil
	}
}

// ownWindowOfItsOwn lets a new page have a window of its own unless the client
// says otherwise: a page behind another gets no frames drawn, and the session's
// agent may be working on the other.
func ownWindowOfItsOwn(p *Params, _ World) error {
	if !p.Has("newWindow") {
		p.Set("newWindow", true)
	}
	return nil
}

// ownFiles puts the files that the session has handed out in the place of their
// names, and refuses all other files of the machine.
func ownFiles(p *Params, w World) error {
	if !p.Has("files") {
		return nil
	}
	var files []string
	if err := p.Decode("files", &files); err != nil {
		return err
	}
	for i, name := range files {
		path, ok := w.Upload(name)
		if !ok {
			return errors.New("files must be those that were uploaded to this session, by their names: upload them first " +
				"(POST /v1/sessions/{id}/uploads), or send their content instead")
		}
		files[i] = path
	}
	p.Set("files", files)
	return nil
}

// dragged checks the files that a drag carries into a page.
func dragged(p *Params, w World) error {
	if !p.Has("data") {
		return nil
	}
	data, err := ReadParams(p.fields["data"])
	if err != nil {
		return err
	}
	if err := ownFiles(data, w); err != nil {
		return err
	}
	p.Set("data", data.fields)
	return nil
}

// traced lets the browser itself record, and not a service of the machine.
func traced(p *Params, _ World) error {
	backend, err := p.Text("tracingBackend")
	if err == nil && backend != "" && backend != "auto" && backend != "chrome" {
		err = errors.New("tracingBackend must be auto or chrome")
	}
	return err
}
