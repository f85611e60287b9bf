package publish

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	wantsDep = `{"name":"p","version":"1.0.0","dependencies":{"@acme/dep":"^1.0.0"}}`
	printDep = `import dep from "@acme/dep"; console.log(dep);`
)

// lockOf is a lock file that names one package; integrity may be empty.
func lockOf(integrity string) string {
	if integrity != "" {
		integrity = `,"integrity":"` + integrity + `"`
	}
	return `{"name":"p","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{"":{"name":"p","version":"1.0.0","dependencies":{"@acme/dep":"^1.0.0"}},"node_modules/@acme/dep":{"version":"1.0.0"` + integrity + `}}}`
}

// prepared makes a program of a project with the files, and returns what it prints.
func prepared(t *testing.T, p *Publisher, project string, files map[string]string, lock []byte) (printed string, prog Program, log *lines) {
	t.Helper()
	log = &lines{}
	prog, err := p.Prepare(t.Context(), Source{Project: project, Archive: archived(t, files), Entry: "index.ts", Lock: lock}, t.TempDir(), log.add)
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	return node(t, p, prog.Dir, prog.Entrypoint), prog, log
}

// Who publishes first does not choose what others run that have the same lock file.
func TestDependenciesAreSharedByThoseWhoGetTheSame(t *testing.T) {
	t.Parallel()
	p := publisher(t, Config{})
	good := pack{"1.0.0", `module.exports = "good"`}
	first := newRegistry(t, map[string]pack{"@acme/dep": {"1.0.0", `module.exports = "another"`}})
	second := newRegistry(t, map[string]pack{"@acme/dep": good})
	files := func(from *registry, lock string) map[string]string {
		return map[string]string{"index.ts": printDep, "package.json": wantsDep, ".npmrc": "@acme:registry=" + from.URL + "\n", "package-lock.json": lock}
	}
	const shared = "installed already"
	for _, c := range []struct {
		name, project string
		from          *registry
		lock          string
		want          string
		shared        bool
	}{
		{"the first", "a", first, lockOf(""), "another", false},
		{"from elsewhere", "b", second, lockOf(""), "good", false},
		{"of another project", "c", second, lockOf(""), "good", false},
		{"again", "c", second, lockOf(""), "good", true},
		{"with its sum", "a", second, lockOf(good.integrity("@acme/dep")), "good", false},
		{"with its sum, of another project", "b", second, lockOf(good.integrity("@acme/dep")), "good", true},
	} {
		got, _, log := prepared(t, p, c.project, files(c.from, c.lock), nil)
		if got != c.want || strings.Contains(log.String(), shared) != c.shared {
			t.Errorf("%s: %s\n%s", c.name, got, log)
		}
	}
}

// Which locks say of each package what it has to be.
func TestLocksThatFixEveryByte(t *testing.T) {
	t.Parallel()
	sum := pack{"1.0.0", ""}.integrity("x")
	for lock, want := range map[string]bool{
		lockOf(sum): true, lockOf(""): false, lockOf("sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="): false, lockOf("sha512-"): false, lockOf(sum + " " + sum): false,
		strings.Replace(lockOf(sum), `"integrity"`, `"Integrity"`, 1):                                           false,
		strings.Replace(lockOf(sum), `"integrity"`, `"resolved":"git+ssh://git@host/x.git#1","integrity"`, 1):   false,
		strings.Replace(lockOf(sum), `"integrity"`, `"resolved":"https://host/x/-/x-1.0.0.tgz","integrity"`, 1): true,
		strings.Replace(lockOf(sum), `"integrity"`, `"inBundle":true,"other"`, 1):                               false,
		`{"lockfileVersion":1,"dependencies":{"x":{"version":"1.0.0","integrity":"` + sum + `"}}}`:              false,
		"{": false, `{"packages":{}}`: false,
	} {
		if got := fixed(installer{lock: npmLock, content: []byte(lock)}); got != want {
			t.Errorf("%v: %s", got, lock)
		}
	}
	const pnpm = "lockfileVersion: '9.0'\npackages:\n  x@1.0.0:\n    resolution: {integrity: SUM}\n"
	for lock, want := range map[string]bool{
		strings.Replace(pnpm, "SUM", sum, 1): true, strings.Replace(pnpm, "SUM", sum+", tarball: http://host/x", 1): false,
		strings.Replace(pnpm, "{integrity: SUM}", "{tarball: http://host/x}", 1): false, strings.Replace(pnpm, "{integrity: SUM}", "", 1): false,
	} {
		if got := fixed(installer{lock: pnpmLock, content: []byte(lock)}); got != want {
			t.Errorf("%v: %s", got, lock)
		}
	}
}

// What lies in the archive is installed where it lies, however the lock file says it.
func TestLocksThatNameFilesOfTheArchive(t *testing.T) {
	t.Parallel()
	pretty := func(lock string) string { return strings.ReplaceAll(lock, `":`, `" : `) }
	linked := `{"packages":{"":{},"lib":{"version":"1.0.0"},"node_modules/lib":{"resolved":"lib","link":true}}}`
	for _, c := range []struct {
		manifest, name, lock string
		want                 bool
	}{
		{wantsDep, npmLock, lockOf(""), true}, {wantsDep, npmLock, pretty(lockOf("")), true},
		{wantsDep, npmLock, linked, false}, {wantsDep, npmLock, pretty(linked), false},
		{wantsDep, npmLock, `{"packages":{"":{},"node_modules/x":{"resolved":"file:x.tgz"}}}`, false},
		{`{"workspaces":["a"]}`, npmLock, lockOf(""), false}, {`{"dependencies":{"a":"../a"}}`, npmLock, lockOf(""), false}, {`{`, npmLock, lockOf(""), false},
		{`{"description":"\"file: and \"link\": true"}`, npmLock, lockOf(""), true},
		{wantsDep, npmLock, `{"lockfileVersion":1,"dependencies":{}}`, false},
		{wantsDep, pnpmLock, "lockfileVersion: '9.0'\n", true}, {wantsDep, pnpmLock, "patchedDependencies:\n  x@1.0.0: {}\n", false},
		{wantsDep, pnpmLock, "        version: link:../a\n", false},
		{`{"pnpm":{"patchedDependencies":{"x":"patches/x"}}}`, pnpmLock, "lockfileVersion: '9.0'\n", false},
	} {
		if got := shareable(t.TempDir(), []byte(c.manifest), installer{lock: c.name, content: []byte(c.lock)}); got != c.want {
			t.Errorf("%v: %s %s", got, c.manifest, c.lock)
		}
	}
	for _, name := range []string{"pnpm-workspace.yaml", ".pnpmfile.cjs"} {
		if shareable(program(t, map[string]string{name: "x"}), []byte(wantsDep), installer{lock: pnpmLock}) {
			t.Errorf("%s is there", name)
		}
	}
	got, _, _ := prepared(t, publisher(t, Config{}), "a", map[string]string{
		"index.ts": `import lib from "lib"; console.log(lib);`, "lib/package.json": `{"name":"lib","version":"1.0.0"}`, "lib/index.js": `module.exports = "local"`,
		"package.json":      `{"name":"p","version":"1.0.0","dependencies":{"lib":"file:lib"}}`,
		"package-lock.json": `{"name" : "p","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{"":{"name":"p","version":"1.0.0","dependencies":{"lib":"file:lib"}},"lib":{"version":"1.0.0"},"node_modules/lib":{"resolved":"lib","link" : true}}}`,
	}, nil)
	if got != "local" {
		t.Error(got)
	}
}

// Another installer, or another Node.js, installs another set.
func TestTheKeyOfASet(t *testing.T) {
	t.Parallel()
	dir := program(t, map[string]string{"bin/npm-cli.js": "", "package.json": `{"name":"npm","version":"10.0.0"}`, "node": "one"})
	p := &Publisher{conf: Config{Node: filepath.Join(dir, "node")}}
	how := installer{lock: npmLock, content: []byte(lockOf("")), program: filepath.Join(dir, "bin", "npm-cli.js"), args: []string{"ci"}}
	seen := map[string]string{}
	try := func(what string, files map[string][]byte, project string) {
		key := p.key(how, files, project)
		if before, ok := seen[key]; ok {
			t.Errorf("%s: as %s", what, before)
		}
		seen[key] = what
	}
	try("the first", map[string][]byte{"a": nil}, "p")
	try("another file", map[string][]byte{"a": []byte("x")}, "p")
	try("another project", map[string][]byte{"a": nil}, "q")
	how.args = []string{"ci", "--more"}
	try("other options", map[string][]byte{"a": nil}, "p")
	how.args = []string{"ci"}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("package.json", `{"name":"npm","version":"11.0.0"}`)
	try("another npm", map[string][]byte{"a": nil}, "p")
	write("node", "another")
	try("another Node.js", map[string][]byte{"a": nil}, "p")
}

// A program without a lock file is made again of what it was built of.
func TestAProgramWithoutALockStaysAsItWasBuilt(t *testing.T) {
	t.Parallel()
	p := publisher(t, Config{})
	from := newRegistry(t, map[string]pack{"@acme/dep": {"1.0.0", `module.exports = "1.0.0"`}})
	files := map[string]string{"index.ts": printDep, "package.json": wantsDep, ".npmrc": "@acme:registry=" + from.URL + "\npackage-lock=false\n"}
	got, prog, log := prepared(t, p, "a", files, nil)
	if got != "1.0.0" || prog.Lock == nil || !strings.Contains(log.String(), "Warning: there is no lock file: npm chooses the versions, and all packages are installed anew for each build; \"npm install --package-lock-only\" makes one\n") {
		t.Fatalf("%s %s\n%s", got, prog.Lock, log)
	}
	from.put("@acme/dep", pack{"1.9.9", `module.exports = "1.9.9"`})
	if got, _, log := prepared(t, p, "a", files, nil); got != "1.9.9" {
		t.Fatalf("a new build: %s\n%s", got, log)
	}
	from.put("@acme/dep", pack{"1.0.0", `module.exports = "1.0.0"`})
	got, again, log := prepared(t, p, "a", files, prog.Lock)
	if got != "1.0.0" || again.Lock != nil || !strings.Contains(log.String(), "npm ci") {
		t.Errorf("%s %s\n%s", got, again.Lock, log)
	}
}

// What only its author needs is not installed, and a program that needs it is told.
func TestDependenciesOfTheDeveloper(t *testing.T) {
	t.Parallel()
	p := publisher(t, Config{})
	from := newRegistry(t, map[string]pack{"@acme/dep": {"1.0.0", `module.exports = "dep"`}, "tool": {"1.0.0", ""}})
	files := map[string]string{
		"index.ts": printDep, ".npmrc": "registry=" + from.URL + "\n",
		"package.json": `{"name":"p","version":"1.0.0","dependencies":{"@acme/dep":"^1.0.0"},"devDependencies":{"tool":"1.0.0"}}`,
	}
	got, prog, log := prepared(t, p, "a", files, nil)
	if _, err := os.Stat(filepath.Join(prog.Dir, modules, "tool")); got != "dep" || !os.IsNotExist(err) {
		t.Errorf("%s %v\n%s", got, err, log)
	}
	files["package-lock.json"] = string(prog.Lock)
	if _, prog, log = prepared(t, p, "a", files, nil); strings.Contains(from.paths(), "tool/-/") {
		t.Errorf("%s\n%s", from.paths(), log)
	}
	if _, err := os.Stat(filepath.Join(prog.Dir, modules, "tool")); !os.IsNotExist(err) {
		t.Error(err)
	}
	files["index.ts"] = `import "tool";`
	_, err := p.Build(t.Context(), Source{Project: "a", Archive: archived(t, files), Entry: "index.ts"}, t.TempDir(), log.add)
	if err == nil || !strings.Contains(err.Error(), "one of devDependencies") {
		t.Errorf("%v\n%s", err, log)
	}
}

// pnpm installs its own lock files, and runs nothing of the program for it.
func TestAProgramOfPnpm(t *testing.T) {
	t.Parallel()
	p := publisher(t, Config{})
	if p.conf.Pnpm == "" {
		t.Skip("there is no pnpm on this machine")
	}
	dep := pack{"1.0.0", `module.exports = "dep"`}
	from := newRegistry(t, map[string]pack{"@acme/dep": dep})
	lock := "lockfileVersion: '9.0'\nsettings:\n  autoInstallPeers: true\n  excludeLinksFromLockfile: false\nimporters:\n  .:\n    dependencies:\n      '@acme/dep':\n        specifier: ^1.0.0\n        version: 1.0.0\n" +
		"packages:\n  '@acme/dep@1.0.0':\n    resolution: {integrity: " + dep.integrity("@acme/dep") + "}\nsnapshots:\n  '@acme/dep@1.0.0': {}\n"
	files := map[string]string{"index.ts": printDep, "package.json": wantsDep, ".npmrc": "registry=" + from.URL + "\n", "pnpm-lock.yaml": lock}
	got, _, log := prepared(t, p, "a", files, nil)
	if got != "dep" || !strings.Contains(log.String(), "pnpm.cjs install --frozen-lockfile") {
		t.Errorf("%s\n%s", got, log)
	}
	if got, _, log := prepared(t, p, "b", files, nil); got != "dep" || !strings.Contains(log.String(), "installed already") {
		t.Errorf("%s\n%s", got, log)
	}
	missing := maps.Clone(files)
	missing["pnpm-lock.yaml"] = strings.ReplaceAll(lock, "@acme/dep", "@acme/none")
	missing["package.json"] = strings.ReplaceAll(wantsDep, "@acme/dep", "@acme/none")
	_, err := p.Prepare(t.Context(), Source{Project: "a", Archive: archived(t, missing), Entry: "index.ts"}, t.TempDir(), log.add)
	if err == nil || !strings.Contains(err.Error(), "installing: GET http://") {
		t.Errorf("%v\n%s", err, log)
	}
	files[".pnpmfile.cjs"] = `throw new Error("it ran");`
	got, prog, log := prepared(t, p, "a", files, nil)
	if info, err := os.Lstat(filepath.Join(prog.Dir, modules)); got != "dep" || err != nil || !info.IsDir() {
		t.Errorf("%s %v\n%s", got, err, log)
	}
}
