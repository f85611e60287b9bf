package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// given runs a command that is given a text on standard input. It is part of nothing
// that is printed.
func (c commandsOf) given(text string, args ...string) (out, errs string, code int) {
	c.t.Helper()
	cmd := c.command(args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		c.t.Fatal(err)
	}
	if value := strings.TrimSpace(text); value != "" && strings.Contains(stdout.String()+stderr.String(), value) {
		c.t.Errorf("it says the value: %s%s", stdout.String(), stderr.String())
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// tellsIn writes a program whose function says what its secrets are.
func tellsIn(t *testing.T, dir string) {
	t.Helper()
	aProgramIn(t, dir, "Hello")
	text := `import { define } from "./runtime.mjs"; define("tell", async (context) => Object.entries(context.secrets).map(([name, value]) => name + value.length).join());`
	if err := os.WriteFile(filepath.Join(dir, "index.ts"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSecretsOfAService(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tellsIn(t, dir)
	c := commandsOf{t, startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:")}
	if _, log, code := c.run("functions", "publish", "-C", dir); code != 0 {
		t.Fatal(log)
	}
	out, errs, code := c.given("correct horse\n", "secrets", "set", "SHOP_PASSWORD", "--function", "tell")
	if code != 0 || !strings.HasPrefix(out, "Stored secret SHOP_PASSWORD (") || errs != "" {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if out, errs, code := c.run("functions", "invoke", "tell"); code != 0 || out != "\"SHOP_PASSWORD13\"\n" {
		t.Errorf("%d %s%s", code, out, errs)
	}
	file := filepath.Join(t.TempDir(), "value")
	if err := os.WriteFile(file, []byte("battery staple, of two\nlines"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := c.good("secrets", "set", "SHOP_PASSWORD", "-f", file); !strings.HasPrefix(out, "Changed secret SHOP_PASSWORD (") {
		t.Error(out)
	}
	c.good("secrets", "set", "OTHER", "-f", file)
	if out, errs, code := c.run("functions", "invoke", "tell"); code != 0 || out != "\"SHOP_PASSWORD28\"\n" {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if out := c.good("secrets", "list"); !strings.HasPrefix(out, "NAME") || strings.Count(out, "\n") != 3 || strings.Index(out, "OTHER") > strings.Index(out, "SHOP_PASSWORD") {
		t.Error(out)
	}
	if out := c.good("secrets", "list", "--function", "tell"); strings.Contains(out, "OTHER") || !strings.Contains(out, "SHOP_PASSWORD") {
		t.Error(out)
	}
	for want, args := range map[string][]string{
		"there is no secret":   {"delete", "NOBODY"},
		"there is no function": {"set", "A", "-f", file, "--function", "nobody"},
		"the value is empty":   {"set", "A"},
		"cannot be read":       {"set", "A", "-f", file + "-other"},
		"secretKey":            {"set", "no name", "-f", file},
	} {
		if errs := c.bad(append([]string{"secrets"}, args...)...); !strings.Contains(errs, want) {
			t.Errorf("%v: %s", args, errs)
		}
	}
	if out := c.good("secrets", "delete", "SHOP_PASSWORD"); !strings.HasPrefix(out, "Deleted secret SHOP_PASSWORD (") {
		t.Error(out)
	}
	if out, errs, code := c.run("functions", "invoke", "tell"); code != 0 || out != "\"\"\n" {
		t.Errorf("%d %s%s", code, out, errs)
	}
}

func TestSecretsOnData(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := startServer(t, []string{keyVariable + "=k"}, "--data", data)
	s.stop(os.Interrupt)
	c := commandsOf{t, s}
	if out, errs, code := c.given("correct horse", "secrets", "set", "A", "--data", data); code != 0 || !strings.HasPrefix(out, "Stored secret A (") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if out := c.good("secrets", "list", "--data", data, "--json"); !strings.Contains(out, `"SecretKey": "A"`) && !strings.Contains(out, `"secretKey": "A"`) {
		t.Error(out)
	}
	if out := c.good("secrets", "delete", "A", "--data", data); !strings.HasPrefix(out, "Deleted secret A") {
		t.Error(out)
	}
	if errs := c.bad("secrets", "list", "--data", data+"-other"); !strings.Contains(errs, "has no database") {
		t.Error(errs)
	}
}

// Flags, and variables, say how programs are isolated; what cannot be had is refused.
func TestIsolationOfPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	aProgramIn(t, dir, "Hello")
	c := commandsOf{t, startServer(t, []string{keyVariable + "=k", "DROVER_PROGRAMS_SANDBOX=/nowhere/sandbox --dir {dir}"}, "--data", ":memory:", "--programs-isolation", "off")}
	if out, log, code := c.run("functions", "publish", "-C", dir); code == 0 {
		t.Errorf("it was built without its sandbox: %s%s", out, log)
	}
	for want, args := range map[string][]string{
		"Sandbox must begin with the absolute path": {"--programs-sandbox", "bwrap"},
		"Isolation.First must keep":                 {"--programs-first-user", "65530"},
		"one of \"auto\",\"required\"":              {"--programs-isolation", "some"},
	} {
		cmd := c.command(append([]string{"serve", "--data", ":memory:", "--addr", "127.0.0.1:0"}, args...)...)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%v: %v %s", args, err, out)
		}
	}
}
