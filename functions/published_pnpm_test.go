package functions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/osuser/osusertest"
	"github.com/drover-go/drover/internal/testlevel"
)

// pnpm is the pnpm of the tests, where every user can run it.
func pnpm(t *testing.T) string {
	t.Helper()
	testlevel.Long(t, "a package is installed")
	from, to := filepath.Join(npmtest.Dir(t, "npm-pnpm"), "node_modules", "pnpm"), osusertest.Shared(t)
	if err := os.CopyFS(filepath.Join(to, "pnpm"), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(to, "pnpm", "bin", "pnpm.cjs")
}

// pnpmFiles are those of a program with a lock file of pnpm.
func pnpmFiles(t *testing.T, r *registry) map[string]string {
	return files(t, scriptedProgram, map[string]string{
		".npmrc": r.npmrc(), "package.json": scriptedManifest, "pnpm-lock.yaml": `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

importers:

  .:
    dependencies:
      '@local/dep':
        specifier: 1.0.0
        version: 1.0.0

packages:

  '@local/dep@1.0.0':
    resolution: {integrity: ` + r.integrity["@local/dep"] + `}

snapshots:

  '@local/dep@1.0.0': {}
`})
}

// A lock file of pnpm is installed as it says, once for all programs with the same
// one; no script runs.
func TestALockFileOfPnpm(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{programs: &ProgramOptions{Pnpm: pnpm(t)}})
	r := openRegistry(t, map[string]map[string]string{"@local/dep": scripted})
	program := pnpmFiles(t, r)
	for i, want := range []string{"Installing dependencies: pnpm install --frozen-lockfile", "The dependencies of this lock file are installed already"} {
		b := w.build(t, program)
		if log := w.buildLog(t, b); b.Status != builds.Succeeded || !strings.Contains(log, want) || strings.Contains(log, "the script runs") {
			t.Fatalf("%d: %+v %+v\n%s", i, b, b.Cause, log)
		}
		if inv := w.do(t, "one", Invoke{}); string(inv.Result) != "false" {
			t.Errorf("%d: %+v %s", i, inv.Cause, inv.Result)
		}
	}
	if n := r.sent.Load(); n != 1 {
		t.Errorf("the package was fetched %d times", n)
	}
	program["package.json"] = strings.Replace(scriptedManifest, `"@local/dep":"1.0.0"`, `"@local/dep":"1.0.0","@local/other":"1.0.0"`, 1)
	b := w.build(t, program)
	if b.Status != builds.Failed || !strings.HasPrefix(b.Cause.Message, "installing: ") || !strings.Contains(b.Cause.Message, "frozen-lockfile") {
		t.Errorf("a lock that does not fit: %+v %+v\n%s", b, b.Cause, w.buildLog(t, b))
	}
	w.tidy(t)
}

// The pnpm of the host installs, whatever package.json says of another one.
func TestAnotherPackageManagerIsNotFetched(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{programs: &ProgramOptions{Pnpm: pnpm(t)}})
	r := openRegistry(t, map[string]map[string]string{"@local/dep": scripted})
	for _, other := range []string{"pnpm@9.1.0", "yarn@1.22.22"} {
		program := pnpmFiles(t, r)
		program["package.json"] = strings.Replace(scriptedManifest, "{", `{"packageManager":"`+other+`",`, 1)
		if b := w.build(t, program); b.Status != builds.Succeeded {
			t.Errorf("%s: %+v\n%s", other, b.Cause, w.buildLog(t, b))
		}
	}
}

// Programs with settings of their own have their own dependencies, though their lock
// files are equal.
func TestSettingsOfInstallersAreNotShared(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{programs: &ProgramOptions{Pnpm: pnpm(t)}})
	r := openRegistry(t, map[string]map[string]string{"@local/dep": scripted})
	for _, c := range []struct{ name, text string }{{".npmrc", r.npmrc()}, {".npmrc", r.npmrc() + "@other:registry=" + r.URL + "/\n"}, {"pnpm-workspace.yaml", "autoInstallPeers: true\n"}} {
		program := pnpmFiles(t, r)
		program[c.name] = c.text
		if b := w.build(t, program); b.Status != builds.Succeeded {
			t.Errorf("%s: %+v\n%s", c.name, b.Cause, w.buildLog(t, b))
		}
	}
	if sets, err := filepath.Glob(w.programs.path(dependenciesDir, "[0-9a-f]*")); err != nil || len(sets) != 2 { // what a workspace says is installed in its program
		t.Errorf("%v %v", sets, err)
	}
}

// Where there is no pnpm, npm installs, and the log says so; the cause of a failure
// does, too.
func TestALockFileOfPnpmWithoutPnpm(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	w.programs.tools.Pnpm = "" // whatever this machine has
	r := openRegistry(t, map[string]map[string]string{"@local/dep": scripted})
	program := pnpmFiles(t, r)
	b := w.build(t, program)
	if log := w.buildLog(t, b); b.Status != builds.Succeeded || !strings.Contains(log, "Warning: there is a pnpm-lock.yaml and no pnpm on this host: npm chooses the versions\nInstalling dependencies: npm install ") {
		t.Fatalf("%+v %+v\n%s", b, b.Cause, log)
	}
	if inv := w.do(t, "one", Invoke{}); string(inv.Result) != "false" {
		t.Errorf("%+v %s", inv.Cause, inv.Result)
	}
	program["package.json"] = strings.Replace(scriptedManifest, `"1.0.0"}}`, `"workspace:*"}}`, 1)
	b = w.build(t, program)
	if b.Status != builds.Failed || !strings.HasSuffix(b.Cause.Message, "; this host lacks pnpm, whose lock file there is") {
		t.Errorf("%+v %+v\n%s", b, b.Cause, w.buildLog(t, b))
	}
	w.tidy(t)
}
