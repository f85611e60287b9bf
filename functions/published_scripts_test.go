package functions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/builds"
)

// npmFiles are those of a program with a lock file of npm.
func npmFiles(t *testing.T, r *registry) map[string]string {
	return files(t, scriptedProgram, map[string]string{
		".npmrc": r.npmrc(), "package.json": scriptedManifest,
		"package-lock.json": `{"name":"p","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{
			"":{"name":"p","version":"1.0.0","dependencies":{"@local/dep":"1.0.0"}},
			"node_modules/@local/dep":{"version":"1.0.0","integrity":"` + r.integrity["@local/dep"] + `","hasInstallScript":true}}}`,
	})
}

// tarballFiles are those of a program whose dependency lies in its archive.
func tarballFiles(t *testing.T) map[string]string {
	return files(t, scriptedProgram, map[string]string{
		"package.json": strings.Replace(scriptedManifest, `"1.0.0"}}`, `"file:dep.tgz"}}`, 1), "dep.tgz": packed(t, below("package", scripted)),
	})
}

// An install script of a dependency runs where the host allows it, and nowhere else.
func TestInstallScriptsOfDependencies(t *testing.T) {
	t.Parallel()
	tool, r := pnpm(t), openRegistry(t, map[string]map[string]string{"@local/dep": scripted})
	programs := map[string]map[string]string{"npm": npmFiles(t, r), "pnpm": pnpmFiles(t, r), "a tarball": tarballFiles(t)}
	for _, allowed := range []bool{false, true} {
		w := publishing(t, setup{programs: &ProgramOptions{Pnpm: tool, Scripts: allowed}})
		for name, program := range programs {
			t.Run(fmt.Sprintf("%s %v", name, allowed), func(t *testing.T) {
				b := w.build(t, program)
				if b.Status != builds.Succeeded {
					t.Fatalf("%+v\n%s", b.Cause, w.buildLog(t, b))
				}
				if inv := w.do(t, "one", Invoke{}); string(inv.Result) != fmt.Sprint(allowed) {
					t.Errorf("it has run: %s, %+v\n%s", inv.Result, inv.Cause, w.buildLog(t, b))
				}
			})
		}
	}
}
