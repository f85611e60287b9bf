package recipe

import (
	"regexp"
	"slices"
	"strings"
)

// A command of a shell that any reads as the same words.
var plainCommand = regexp.MustCompile(`^[A-Za-z0-9_./@:=+,-]+( +[A-Za-z0-9_./@:=+,-]+)*$`)

// assignment begins a command with a variable.
var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// words are those of a plain command; nil for one that needs a shell.
func words(command string) []string {
	command = strings.TrimSpace(command)
	if !plainCommand.MatchString(command) || assignment.MatchString(command) {
		return nil
	}
	return strings.Fields(command)
}

// shell runs a command by a shell.
func shell(command string) []string { return []string{"/bin/sh", "-c", command} }

// fromShell is what a shell would start of a command.
func fromShell(command string) []string {
	if plain := words(command); plain != nil && (plain[0] == "node" || plain[0] == "npm") {
		return plain
	}
	if words(command) != nil {
		return shell("exec " + command)
	}
	return shell(command)
}

// maxSteps is how many scripts may start each other.
const maxSteps = 5

// direct is a command without npm, where that only starts a script: npm takes longer
// to do so than most Actors to start, and passes on no signals.
func direct(start []string, m manifest) []string {
	for range maxSteps {
		name := scriptOf(start)
		script := m.scripts[name]
		if script == "" || m.scripts["pre"+name] != "" || m.scripts["post"+name] != "" || strings.Contains(script, "npm_") {
			break
		}
		start = fromShell(script)
	}
	return start
}

// quiet are flags of npm that change what it prints.
var quiet = []string{"--silent", "-s", "--quiet", "-q", "--no-update-notifier"}

// scriptOf is the script that a command has npm run; empty for any other.
func scriptOf(argv []string) string {
	if len(argv) == 0 || argv[0] != "npm" {
		return ""
	}
	rest := slices.DeleteFunc(slices.Clone(argv[1:]), func(a string) bool { return slices.Contains(quiet, a) })
	switch {
	case len(rest) == 1 && rest[0] == "start":
		return "start"
	case len(rest) == 2 && (rest[0] == "run" || rest[0] == "run-script") && !strings.HasPrefix(rest[1], "-"):
		return rest[1]
	}
	return ""
}
