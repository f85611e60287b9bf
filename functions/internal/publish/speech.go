package publish

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/drover-go/drover/internal/child"
)

// speech is what a process of a build prints. It goes to the log, and the line that
// says best what is wrong is kept.
type speech struct {
	log Log
	// dir is where the program lies, which is nothing to whoever publishes it.
	dir string
	// problem tells the line that says what is wrong.
	problem *regexp.Regexp
	found   string
}

// What errors look like: as Node.js prints those that nobody caught, and as npm and
// pnpm print theirs, which begin with a code.
var (
	runProblem     = regexp.MustCompile(`^(?:Uncaught )?([A-Za-z]*(?:Error|Exception)\b.*)`)
	installProblem = regexp.MustCompile(`^(?:npm (?:error|ERR!)\s|.?ERR_PNPM\w*\W|.?ERROR\S*\s)\W*(\w.*\S)`)
	onlyCode       = regexp.MustCompile(`^(?:code|path|errno|syscall) `)
)

func (s *speech) hear(l child.Line) {
	text := l.Text
	for _, dir := range []string{s.dir, unlinked(s.dir)} {
		text = strings.ReplaceAll(text, dir+string(filepath.Separator), "")
		text = strings.ReplaceAll(text, dir, ".")
	}
	s.log(text)
	if m := s.problem.FindStringSubmatch(text); m != nil && s.found == "" && !onlyCode.MatchString(m[1]) {
		s.found = m[1]
	}
}

// unlinked is a directory without links.
func unlinked(dir string) string {
	if path, err := filepath.EvalSymlinks(dir); err == nil {
		return path
	}
	return dir
}

// why says what was wrong, in one line.
func (s *speech) why(end child.End) string {
	switch {
	case s.found != "":
		return s.found
	case end.Cause == child.Exited:
		return fmt.Sprintf("the process exited with code %d", end.Code)
	}
	return "the process was ended: " + string(end.Cause)
}
