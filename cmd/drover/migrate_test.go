package main

import (
	"bytes"
	"context"
	"fmt"

	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/docstest"
	"github.com/drover-go/drover/internal/npmtest"
)

// A guide is a page of the documentation that a reader follows in a terminal. Its blocks
// are run in their order by one shell: those in sh as they stand, those in js are written
// to the file that their first line names, and a block of text is what the lines before it
// print.
type guide struct {
	path string
	// folders of npm have the packages that the page installs, the first that has them all
	// counts.
	folders []string
	// values are those of variables that the page exports, in place of its own.
	values map[string]string
}

// A step is what is run and what it prints.
type step struct {
	docstest.Block
	prints []docstest.Block
}

// served starts the service as the page says, on a free port and with a data directory of
// the test's, whose pages may be on loopback.
func (g *guide) served(t *testing.T, blocks []docstest.Block, data string) *server {
	t.Helper()
	for _, b := range blocks {
		if b.Mark != "serve" {
			continue
		}
		lines := strings.Split(strings.TrimSpace(b.Source), "\n")
		flags, ok := strings.CutPrefix(lines[len(lines)-1], "drover serve")
		if !ok {
			t.Fatalf("%s:%d: the block does not end with drover serve", g.path, b.Line)
		}
		args := append(strings.Fields(flags), "--data", data, "--allow-private-networks")
		return startServer(t, []string{keyVariable + "=" + guideKey}, args...)
	}
	t.Fatalf("%s starts no service", g.path)
	return nil
}

// guideKey is the API key of the project default.
const guideKey = "key-of-the-guide"

// steps are the blocks that are run.
func (g *guide) steps(t *testing.T, blocks []docstest.Block) (all []step) {
	t.Helper()
	for _, b := range blocks {
		switch {
		case b.Mark == "serve":
		case b.Mark == "not-run":
			if !strings.Contains(b.Before, "no test runs") {
				t.Errorf("%s:%d: the page does not say that no test runs this, and why", g.path, b.Line)
			}
		case b.Language == "text" && len(all) > 0:
			all[len(all)-1].prints = append(all[len(all)-1].prints, b)
		case b.Language == "sh" || b.Language == "js":
			all = append(all, step{Block: b})
		default:
			t.Errorf("%s:%d: nobody runs this block", g.path, b.Line)
		}
	}
	return all
}

// mark begins the output of a step.
const mark = "\x01step "

// script is what the shell runs.
func (g *guide) script(t *testing.T, steps []step) string {
	t.Helper()
	var all strings.Builder
	all.WriteString(installing)
	used := map[string]bool{}
	for i, s := range steps {
		fmt.Fprintf(&all, "echo $'\\x01step %d'\n", i)
		if s.Language == "js" {
			all.WriteString(g.writing(t, s))
			continue
		}
		for line := range strings.Lines(s.Source) {
			if strings.HasPrefix(line, "export ") {
				line = g.substituted(line, used)
			}
			all.WriteString(line)
		}
	}
	for name := range g.values {
		if !used[name] {
			t.Errorf("%s exports no %s", g.path, name)
		}
	}
	return all.String()
}

// writing is the command that writes a program.
func (g *guide) writing(t *testing.T, s step) string {
	t.Helper()
	first, _, _ := strings.Cut(s.Source, "\n")
	file, ok := strings.CutPrefix(first, "// ")
	if !ok || strings.Contains(file, " ") {
		t.Fatalf("%s:%d: the first line does not name the file", g.path, s.Line)
	}
	return "cat > " + file + " <<'END OF THE PROGRAM'\n" + s.Source + "END OF THE PROGRAM\n"
}

// substituted gives variables of a line other values.
func (g *guide) substituted(line string, used map[string]bool) string {
	for name, value := range g.values {
		assigned := regexp.MustCompile(`\b` + name + `=[^$\s]\S*`)
		if assigned.MatchString(line) {
			used[name] = true
			line = assigned.ReplaceAllLiteralString(line, name+"='"+value+"'")
		}
	}
	return line
}

// installing answers "npm install" by packages that are there: those of the first folder
// whose package.json names them, in a version that begins as the one that is asked for.
const installing = `set -e
npm() {
	[ "$*" = "init -y" ] && { echo '{}' > package.json; return; }
	[ "$1" = install ] || { echo "npm $*: only npm install and npm init -y are answered here"; return 1; }
	shift
	local global= wanted=() folder name all
	[ "$1" = -g ] && { global=yes; shift; }
	wanted=("$@")
	[ $# -gt 0 ] || mapfile -t wanted < <(node -p 'Object.keys(require("./package.json").dependencies).join("\n")')
	for folder in $GUIDE_FOLDERS; do
		all=yes
		for name in "${wanted[@]}"; do
			case $name in
				?*@*) grep -q "\"${name%@*}\": \"${name##*@}" "$folder/package.json" || all= ;;
				*) grep -q "\"$name\": \"" "$folder/package.json" || all= ;;
			esac
		done
		[ "$all" ] || continue
		if [ "$global" ]; then
			export PATH="$folder/node_modules/.bin:$PATH"
		else
			ln -sfn "$folder/node_modules" node_modules
			cp "$folder/package-lock.json" .
		fi
		return
	done
	echo "no lock file of the tests has ${wanted[*]}"
	return 1
}
`

// follow runs a page, compares what its lines print, and returns all of that.
func (g *guide) follow(t *testing.T, blocks []docstest.Block) string {
	t.Helper()
	g.noOtherLines(t)
	var folders []string
	for _, folder := range g.folders {
		folders = append(folders, npmtest.Dir(t, folder))
	}
	steps := g.steps(t, blocks)
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", g.script(t, steps))
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = t.TempDir(), &out, &out, time.Second
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "GUIDE_FOLDERS="+strings.Join(folders, " "), "NO_COLOR=1", "FORCE_COLOR=0",
		"NPM_CONFIG_OFFLINE=true", "NPM_CONFIG_UPDATE_NOTIFIER=false", "APIFY_CLI_DISABLE_TELEMETRY=1", "APIFY_CLI_SKIP_UPDATE_CHECK=1", "CI=1")
	failed := cmd.Run()
	said := strings.Split(out.String(), mark)[1:]
	if failed != nil {
		t.Fatalf("%s:%d: %v\n%s", g.path, steps[max(len(said)-1, 0)].Line, failed, out.String())
	}
	for i, s := range steps {
		_, text, _ := strings.Cut(said[i], "\n")
		for _, b := range s.prints {
			g.compare(t, b, text)
		}
	}
	return out.String()
}

// compare looks for the lines of a block in what was printed, in their order. The
// character … stands for anything.
func (g *guide) compare(t *testing.T, b docstest.Block, printed string) {
	t.Helper()
	rest := printed
	for line := range strings.Lines(b.Source) {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(line)), "…", `.*`)
		found := regexp.MustCompile(`(?m)^\s*` + pattern + `\s*$`).FindStringIndex(rest)
		if found == nil {
			t.Errorf("%s:%d: nothing is printed like %q:\n%s", g.path, b.Line, line, printed)
			return
		}
		rest = rest[found[1]:]
	}
}

// noOtherLines refuses code that no fence surrounds, which nobody would run.
func (g *guide) noOtherLines(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(g.path)
	if err != nil {
		t.Fatal(err)
	}
	fenced := false
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if !fenced && strings.HasPrefix(line, "    ") {
			t.Errorf("%s: no test runs this line: %s", g.path, line)
		}
	}
}

// docsFolder is that of the pages, conformanceFolder has the lock files of public clients.
const docsFolder, conformanceFolder = "../../docs", "../../httpadapter/conformance"

func npmFolders(names ...string) (all []string) {
	for _, name := range names {
		all = append(all, filepath.Join(conformanceFolder, name))
	}
	return all
}
