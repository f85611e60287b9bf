package child

import (
	"bytes"
	"strings"
)

// roots are what tells whose a process is, beside what it says itself.
type roots struct {
	groups map[int]string    // of children whose first process is there, by its number
	users  map[uint32]string // that are a child's alone
	// dirs are the directories of children, and whom each runs as: a process of
	// that user is believed to be the child's. Nil for a dead host, of which
	// everything is to be ended.
	dirs map[string]uint32
}

// A sight is one look at the table of processes.
type sight struct {
	*family
	roots
	procs map[int]proc
	owner map[key]string // of those that were looked at; empty for nobody
	// strange are those that say nothing of any child, and need not be asked again.
	strange map[int]stranger
}

// whose tells whose a process is. What it cannot choose comes first: whom it runs
// as, what it was seen to be, and those that it comes from. What it says itself
// counts last.
func (s *sight) whose(p proc) string {
	if whose, done := s.owner[p.key]; done {
		return whose
	}
	s.owner[p.key] = "" // a table that changes while it is read can have rings
	whose := s.bound(p)
	if above, ok := s.procs[p.ppid]; ok && whose == "" {
		whose = s.whose(above)
	}
	if whose == "" {
		whose = s.claimed(p)
	}
	s.owner[p.key] = whose
	return whose
}

// bound tells whose a process is by what binds it.
func (s *sight) bound(p proc) string {
	if len(s.users) > 0 {
		uid, known := s.isStrange(p)
		if !known {
			uid, known = readUser(p.pid)
		}
		if known && s.users[uid] != "" {
			return s.users[uid]
		}
	}
	if known := s.family.owner[p.key]; known != "" {
		return known
	}
	return s.groups[p.pid]
}

// claimed tells whose a process says that it is, by the group that it is in, its
// environment or its command line. It is believed where it could be: groups can be
// joined and the directories of children guessed, and what a process does that
// names another's is that one's to answer for.
func (s *sight) claimed(p proc) string {
	dir := s.groups[p.pgid]
	if dir == "" {
		dir = s.says(p)
	}
	if dir == "" || s.dirs == nil {
		return dir
	}
	user, exists := s.dirs[dir]
	if uid, ok := readUser(p.pid); !exists || !ok || uid != user {
		return ""
	}
	return dir
}

// says returns the directory that a process names; empty for a stranger.
func (s *sight) says(p proc) string {
	if user, known := s.isStrange(p); known {
		s.strange[p.pid] = stranger{p.start, user}
		return ""
	}
	environ := s.environ(p)
	dir := s.marked(environ)
	if dir == "" {
		dir = s.named(readCommand(p))
	}
	if dir == "" {
		s.remember(p, environ)
	}
	return dir
}

// named returns the directory that a command line names.
func (f *family) named(command []byte) string {
	if !bytes.Contains(command, []byte(f.dir)) || !f.names(command) {
		return ""
	}
	return f.below(string(command), " =")
}

// marked returns the directory that a marker names in an environment.
func (f *family) marked(environ []byte) string {
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if value, ok := bytes.CutPrefix(entry, []byte(markerName+"=")); ok {
			if dir := f.below(string(value), markerSeparator); dir != "" {
				return dir
			}
		}
	}
	return ""
}

// below finds the directory of a child that a text names, at its beginning or
// behind one of the separators.
func (f *family) below(text, separators string) string {
	for from := 0; ; {
		i := strings.Index(text[from:], f.dir+"/")
		if i < 0 {
			return ""
		}
		begin := from + i
		from = begin + len(f.dir) + 1
		if begin > 0 && !strings.ContainsRune(separators, rune(text[begin-1])) {
			continue
		}
		id := text[from:]
		if end := strings.IndexFunc(id, func(c rune) bool { return c < '0' || c > '9' }); end >= 0 {
			id = id[:end]
		}
		if id != "" {
			return f.dir + "/" + id
		}
	}
}
