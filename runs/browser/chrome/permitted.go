package chrome

import "sync"

// permitted are the files of the machine that a session has handed out for its
// pages. Its external clients may name them, and no others.
type permitted struct {
	mu    sync.Mutex
	paths map[string]struct{}
}

// permit lets clients upload the file at the absolute path.
func (u *permitted) permit(path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.paths == nil {
		u.paths = map[string]struct{}{}
	}
	u.paths[path] = struct{}{}
}

// forbid takes permit back.
func (u *permitted) forbid(path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.paths, path)
}

func (u *permitted) permits(path string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, ok := u.paths[path]
	return ok
}
