package mux

import (
	"maps"
	"path"
	"strings"
	"sync"
)

// permitted are the files of the machine that a session has handed out for its
// pages, by name. Its external clients may name them, and no others.
type permitted struct {
	mu    sync.Mutex
	files map[string]string
}

// Permit lets clients upload a file of the machine under a name.
func (v *Clients) Permit(name, file string) { v.permitted.permit(name, file) }

// permit lets clients upload the file under a name without slashes.
func (u *permitted) permit(name, file string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.files == nil {
		u.files = map[string]string{}
	}
	u.files[name] = file
}

// Permitted are the names, and the file of each.
func (v *Clients) Permitted() map[string]string {
	v.permitted.mu.Lock()
	defer v.permitted.mu.Unlock()
	return maps.Clone(v.permitted.files)
}

// find returns the file that a client means: clients put the folder before a
// name into which hosted services put their uploads.
func (u *permitted) find(name string) (file string, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	file, ok = u.files[path.Base(strings.ReplaceAll(name, `\`, "/"))]
	return file, ok
}
