package drover_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage/contexts"
	"github.com/drover-go/drover/storage/projects"
)

// hostEnv makes the test binary a host on the data directory it names, which has
// one session with a context open a page, and stands still, to be killed.
const hostEnv = "DROVER_TEST_HOST"

func TestMain(m *testing.M) {
	if dir := os.Getenv(hostEnv); dir != "" {
		err := hostMain(dir, os.Getenv(hostEnv+"_CONTEXT"), os.Getenv(hostEnv+"_URL"))
		fmt.Println("failed", err)
		os.Exit(1)
	}
	if dir := os.Getenv(rotatorEnv); dir != "" {
		fmt.Println("failed", rotatorMain(dir))
		os.Exit(1)
	}
	if dir := os.Getenv(schedulerEnv); dir != "" {
		fmt.Println("failed", schedulerMain(dir))
		os.Exit(1)
	}
	if dir := os.Getenv(backupEnv); dir != "" {
		fmt.Println("failed", backupMain(dir))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

func hostMain(dir, id, url string) error {
	ctx := context.Background()
	d, err := drover.Open(ctx, hostOptions(dir, os.Stderr))
	if err != nil {
		return err
	}
	project, err := d.Projects.Get(ctx, projects.Default)
	if err != nil {
		return err
	}
	s, err := d.Sessions.OpenFor(ctx, project.ID, sessions.Create{Settings: sessions.Settings{Context: &sessions.ContextRef{ID: id, Persist: true}}})
	if err != nil {
		return err
	}
	title, err := said(ctx, s, url)
	if err != nil {
		return err
	}
	fmt.Println(title, s.ID())
	select {}
}

// startHost returns a host whose page has said something.
func startHost(t *testing.T, dir, id, url string, log *hostLog) (cmd *exec.Cmd, line string) {
	t.Helper()
	chrometest.RequireChromium(t)
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), hostEnv+"="+dir, hostEnv+"_CONTEXT="+id, hostEnv+"_URL="+url)
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			kill(t, cmd)
		}
	})
	line, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	return cmd, line
}

// kill is kill -9.
func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	cmd.Wait()
}

// profileWith is the live profile that holds a secret.
func profileWith(t *testing.T, secret string) string {
	t.Helper()
	for _, place := range workdir.Places(os.TempDir()) {
		dirs, _ := filepath.Glob(filepath.Join(place, "drover-profile-*"))
		for _, dir := range dirs {
			if len(filesWith(t, dir, secret)) > 0 {
				return dir
			}
		}
	}
	t.Fatal("the secret is in no live profile: the search finds nothing")
	return ""
}

// A host that is killed in the middle of a session that persists leaves nothing
// in the clear in its data; its profile is outside, and goes with the next start.
func TestAKilledHostLeavesNothingInTheClearInItsData(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it kills processes")
	site, dir, log := newCanarySite(t), t.TempDir(), &hostLog{}
	d := withChromium(t, dir, log)
	c, err := d.Contexts.Create(t.Context(), contexts.Create{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	cmd, line := startHost(t, dir, c.ID, site.URL+"/make", log)
	var id string
	if n, err := fmt.Sscanf(line, "all is made %s", &id); n != 1 {
		t.Fatalf("%q, %v", line, err)
	}
	profile := profileWith(t, site.secret)
	if rel, err := filepath.Rel(dir, profile); err == nil && filepath.IsLocal(rel) {
		t.Errorf("the live profile %s lies in the data", profile)
	}
	hasNone(t, "while it lives", dir, site.secret, log)
	kill(t, cmd)
	hasNone(t, "right after it was killed", dir, site.secret, log)

	d = withChromium(t, dir, log)
	if s, err := d.Sessions.Get(t.Context(), id); err != nil || s.Cause == nil || s.Cause.Code != sessions.CauseHostLost {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := os.Stat(profile); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the profile outlives the next start: %v", err)
	}
	if title := visits(t, d, c.ID, true, site.URL+"/look"); title != "found:." {
		t.Errorf("the context can be used, and is what it was: %q", title)
	}
	hasNone(t, "in the end", dir, site.secret, log)
}
