package mux

import (
	"maps"
	"path"
	"strings"
)

// Permit lets clients upload a file of the machine, under a name without slashes.
// They may name those that a session has handed out for its pages, and no others.
func (v *Clients) Permit(name, file string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.permitted[name] = file
}

// Permitted are the names, and the file of each.
func (v *Clients) Permitted() map[string]string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return maps.Clone(v.permitted)
}

// upload returns the file that a client means: clients put the folder before a
// name into which hosted services put their uploads.
func (v *Clients) upload(name string) (file string, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	file, ok = v.permitted[path.Base(strings.ReplaceAll(name, `\`, "/"))]
	return file, ok
}
