package recipe

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// dockerfile is what is followed of one.
type dockerfile struct {
	stages []*stage
	// scripts of package.json are run by any of its stages.
	scripts []string
	// omit are the kinds of dependencies that its last installation leaves out; nil
	// where there is none.
	omit []string
}

// stage is one that begins with FROM.
type stage struct {
	name            string
	env             map[string]string
	args            map[string]string
	dir             string // relative to the root
	root            string // the absolute path of the root
	entrypoint, cmd []string
	entryShell      bool
}

func (d *dockerfile) last() *stage { return d.stages[len(d.stages)-1] }

// command is what the stage starts; nil for nothing.
func (s *stage) command() []string {
	if s.entryShell {
		return s.entrypoint
	}
	return append(slices.Clone(s.entrypoint), s.cmd...)
}

func (s *stage) environment() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(s.env)) {
		all = append(all, name+"="+s.env[name])
	}
	return all
}

// dockerRoot is where images of Actors have their source.
const dockerRoot = "/usr/src/app"

func (r *reader) dockerfile() (*dockerfile, error) {
	names := []string{actorFolder + "/Dockerfile", "Dockerfile"}
	if r.docker != "" {
		names = []string{beside(r.docker)}
	}
	name, text, err := r.first(names...)
	if err != nil {
		return nil, err
	}
	if name == "" && r.docker != "" {
		return nil, invalid("the Dockerfile, %s, is not in the source", r.docker)
	}
	if name == "" {
		return nil, nil
	}
	p := &parsing{r: r, d: &dockerfile{}, name: name}
	for _, l := range instructions(string(text)) {
		p.instruction(l)
	}
	if len(p.d.stages) == 0 {
		return nil, invalid("%s has no FROM", name)
	}
	return p.d, nil
}

// line is an instruction, and where it begins.
type line struct {
	number     int
	word, rest string
}

// instructions are those of a Dockerfile, with the lines that they go on for.
func instructions(text string) (all []line) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		at, whole := i+1, ""
		for ; i < len(lines); i++ {
			part := strings.TrimSpace(lines[i])
			if whole == "" && (part == "" || part[0] == '#') {
				break
			}
			if strings.HasPrefix(part, "#") || part == "" {
				continue
			}
			more := false
			part, more = strings.CutSuffix(part, `\`)
			whole += part
			if !more {
				break
			}
		}
		if whole = strings.TrimSpace(whole); whole == "" {
			continue
		}
		word, rest, _ := strings.Cut(strings.ReplaceAll(whole, "\t", " "), " ")
		all = append(all, line{at, strings.ToUpper(word), strings.TrimSpace(rest)})
		if end := heredoc(rest); end != "" {
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != end; i++ {
			}
		}
	}
	return all
}

// heredoc is the word that ends the text which follows an instruction; empty for none.
func heredoc(rest string) string {
	_, after, ok := strings.Cut(rest, "<<")
	if !ok {
		return ""
	}
	word, _, _ := strings.Cut(strings.TrimLeft(after, "-"), " ")
	return strings.Trim(word, `"'`)
}

// parsing is a Dockerfile that is being read.
type parsing struct {
	r    *reader
	d    *dockerfile
	name string
	args map[string]string // before the first stage
}

// leftOut says of an instruction that it is not followed.
func (p *parsing) leftOut(l line, what string) {
	p.r.note("%s, line %d: not done here, for there are no containers: %s", p.name, l.number, what)
}

func (p *parsing) instruction(l line) {
	switch {
	case l.word == "FROM":
		p.from(l)
		return
	case l.word == "ARG" && len(p.d.stages) == 0:
		p.args = assigned(p.args, l.rest, nil)
		return
	case len(p.d.stages) == 0:
		p.leftOut(l, l.word+" "+l.rest)
		return
	}
	s := p.d.last()
	switch l.word {
	case "ENV":
		s.env = assigned(s.env, l.rest, s.expand)
	case "ARG":
		s.args = assigned(s.args, l.rest, s.expand)
	case "WORKDIR":
		s.workdir(s.expand(strings.Trim(l.rest, `"`)))
	case "CMD":
		s.cmd, _ = command(l.rest)
	case "ENTRYPOINT":
		s.entrypoint, s.entryShell = command(l.rest)
		s.cmd = nil
	case "RUN":
		p.run(l)
	case "COPY", "ADD":
		p.copies(l)
	case "LABEL", "EXPOSE", "USER", "MAINTAINER", "STOPSIGNAL":
		// nothing of it would be seen here
	default:
		p.leftOut(l, l.word+" "+l.rest)
	}
}

// from begins a stage, which goes on where an earlier one of the name ended.
func (p *parsing) from(l line) {
	fields := strings.Fields(l.rest)
	fields = slices.DeleteFunc(fields, func(f string) bool { return strings.HasPrefix(f, "--") })
	image := ""
	if len(fields) > 0 {
		image = os.Expand(fields[0], func(name string) string { return p.args[name] })
	}
	s := &stage{env: map[string]string{}, args: map[string]string{}, dir: ".", root: dockerRoot}
	for i, known := range p.d.stages {
		if image == known.name || image == strconv.Itoa(i) {
			*s = *known
			s.env, s.args = maps.Clone(known.env), map[string]string{}
			image = ""
		}
	}
	s.name = ""
	if len(fields) == 3 && strings.EqualFold(fields[1], "AS") {
		s.name = fields[2]
	}
	if image != "" {
		p.r.note("%s, line %d: the image %s is not used: the Node.js of this host runs the Actor", p.name, l.number, image)
	}
	p.d.stages = append(p.d.stages, s)
}

// expand puts the values of variables in the place of their names.
func (s *stage) expand(text string) string {
	return os.Expand(text, func(name string) string {
		name, other, _ := strings.Cut(name, ":-")
		if value, ok := s.env[name]; ok {
			return value
		}
		if value, ok := s.args[name]; ok {
			return value
		}
		return other
	})
}

func (s *stage) workdir(to string) {
	switch {
	case !path.IsAbs(to):
		to = path.Join(s.dir, to)
	case to == s.root || strings.HasPrefix(to, s.root+"/"):
		to = path.Join(".", strings.TrimPrefix(to, s.root))
	default:
		s.root, to = path.Clean(to), "."
	}
	if to == ".." || strings.HasPrefix(to, "../") {
		to = "."
	}
	s.dir = to
}

// command reads what is started: in JSON the words, else a line for a shell.
func command(rest string) (argv []string, byShell bool) {
	if strings.HasPrefix(rest, "[") && json.Unmarshal([]byte(rest), &argv) == nil {
		return argv, false
	}
	return fromShell(strings.TrimSpace(strings.TrimPrefix(rest, xvfb))), true
}

// xvfb is how images with a browser start a screen for it, which is not needed here.
const xvfb = "./start_xvfb_and_run_cmd.sh && "

// assigned adds variables to those that there are: "a=b c=d", or "a b".
func assigned(all map[string]string, rest string, expand func(string) string) map[string]string {
	if all == nil {
		all = map[string]string{}
	}
	if expand == nil {
		expand = func(text string) string { return text }
	}
	name, value, _ := strings.Cut(rest, " ")
	if !strings.Contains(name, "=") {
		all[name] = expand(strings.TrimSpace(value))
		return all
	}
	for _, field := range quoted(rest) {
		name, value, _ := strings.Cut(field, "=")
		if name != "" {
			all[name] = expand(value)
		}
	}
	return all
}

// quoted splits at spaces that are not between quotation marks, which go.
func quoted(text string) (fields []string) {
	var field strings.Builder
	var mark rune
	inside := false
	for _, c := range text + " " {
		switch {
		case mark == 0 && (c == '"' || c == '\''):
			mark, inside = c, true
		case mark != 0 && c == mark:
			mark = 0
		case mark == 0 && c == ' ':
			if inside || field.Len() > 0 {
				fields = append(fields, field.String())
			}
			field.Reset()
			inside = false
		default:
			field.WriteRune(c)
		}
	}
	return fields
}
