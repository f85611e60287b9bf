package recipe

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// steps are the commands of a line for a shell that are run one after another.
var steps = regexp.MustCompile(`\s*(?:&&|;)\s*`)

// run follows what of a RUN is npm's, and says what else it is.
func (p *parsing) run(l line) {
	rest := l.rest
	for strings.HasPrefix(rest, "--") { // mounts, networks
		_, rest, _ = strings.Cut(rest, " ")
		rest = strings.TrimSpace(rest)
	}
	all := steps.Split(rest, -1)
	if argv, byShell := command(rest); !byShell {
		all = []string{strings.Join(argv, " ")}
	}
	for _, step := range all {
		if step = strings.TrimSpace(step); step != "" && !p.npm(words(step)) && !harmless(step) {
			p.leftOut(l, "RUN "+step)
		}
	}
}

// harmless reports whether a command has nothing to do with what is built.
func harmless(step string) bool {
	for _, begin := range []string{"echo ", "(npm list", "npm list", "npm ls", "node --version", "npm --version", "(npm ls", "npm cache clean", "rm -r ~/.npm", "rm -rf ~/.npm", "true"} {
		if strings.HasPrefix(step, begin) {
			return true
		}
	}
	return false
}

// npm follows a command of npm's; false is that it is none that can be.
func (p *parsing) npm(argv []string) bool {
	if len(argv) < 2 || argv[0] != "npm" {
		return false
	}
	if name := scriptOf(argv); name != "" && name != "start" {
		if !slices.Contains(p.d.scripts, name) {
			p.d.scripts = append(p.d.scripts, name)
		}
		return true
	}
	rest := slices.DeleteFunc(slices.Clone(argv[1:]), func(a string) bool { return slices.Contains(quiet, a) })
	switch {
	case len(rest) == 0:
		return false
	case rest[0] == "set" || rest[0] == "config" || rest[0] == "prune":
		return true // of the installer, which is the host's
	case !slices.Contains([]string{"install", "ci", "i", "clean-install"}, rest[0]):
		return false
	}
	omit, ok := omits(rest[1:])
	if ok {
		p.d.omit = omit
	}
	return ok
}

// omits reads the arguments of an installation; false for one of something else.
func omits(args []string) (omit []string, ok bool) {
	all := map[string]bool{}
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		switch {
		case !strings.HasPrefix(arg, "-"), name == "-g", name == "--global", name == "--prefix":
			return nil, false
		case name == "--omit":
			all[value] = true
		case name == "--include":
			all[value] = false
		case name == "--production" && value != "false", name == "--only" && strings.HasPrefix(value, "prod"):
			all["dev"] = true
		case name == "--no-optional":
			all["optional"] = true
		}
	}
	omit = []string{}
	for _, kind := range []string{"dev", "optional", "peer"} {
		if all[kind] {
			omit = append(omit, kind)
		}
	}
	return omit, true
}

// copies says of files that they would lie elsewhere.
func (p *parsing) copies(l line) {
	var args []string
	for _, a := range strings.Fields(l.rest) {
		if !strings.HasPrefix(a, "--chown") && !strings.HasPrefix(a, "--chmod") && !strings.HasPrefix(a, "--link") {
			args = append(args, strings.Trim(a, `[]",`))
		}
	}
	if len(args) > 0 && strings.HasPrefix(args[0], "--from=") { // what another stage has built lies here already
		args = args[1:]
	}
	if len(args) >= 2 && p.inPlace(args[:len(args)-1], args[len(args)-1]) {
		return
	}
	p.leftOut(l, l.word+" "+l.rest)
}

// inPlace reports whether files are copied to where they lie in the source.
func (p *parsing) inPlace(from []string, to string) bool {
	to = p.place(to)
	for _, name := range from {
		name = p.place(name)
		if name == to {
			continue
		}
		info, err := fs.Stat(p.r.root, name)
		if isDir := err == nil && info.IsDir(); isDir || path.Dir(name) != to {
			return false
		}
	}
	return true
}

// place is a path of a Dockerfile relative to the root.
func (p *parsing) place(name string) string {
	s := p.d.last()
	return path.Clean("./" + strings.TrimPrefix(s.expand(name), s.root))
}
