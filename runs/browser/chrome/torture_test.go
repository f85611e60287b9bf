package chrome_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
	"github.com/drover-go/drover/runs/browser/chrome/internal/protocolfuzz"
)

// described is what the browser says of its protocol. It says so at a debugging
// port only, which Drover never opens: this browser is the test's alone.
func described(t testing.TB) (*protocolfuzz.Description, []byte) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), chrometest.RequireChromium(t), "--headless=new", "--no-sandbox", "--remote-debugging-port=0", "--user-data-dir="+dir, "about:blank")
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait(); chrome.KillUsing(dir) }()
	var port []byte
	for deadline := time.Now().Add(time.Minute); !bytes.Contains(port, []byte("\n")); time.Sleep(20 * time.Millisecond) {
		port, _ = os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		if time.Now().After(deadline) {
			t.Fatal("the browser opens no debugging port")
		}
	}
	number, _, _ := strings.Cut(string(port), "\n")
	res, err := http.Get("http://127.0.0.1:" + number + "/json/protocol")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	d, err := protocolfuzz.Read(raw)
	if err != nil {
		t.Fatal(err)
	}
	return d, raw
}

// passes reports whether a command gets past the names in the tables, and is
// one of those that the environment asks for.
func passes(root bool, method string) bool {
	only := strings.Fields(os.Getenv("DROVER_TORTURE_ONLY"))
	if len(only) > 0 && !slices.ContainsFunc(only, func(prefix string) bool { return strings.HasPrefix(method, prefix) }) {
		return false
	}
	level := policy.Page
	if root {
		level = policy.Browser
	}
	rule := policy.Find(level, method)
	return rule.Do != policy.Refuse && !rule.Alone
}

// number is one that the environment gives.
func number(t testing.TB, key string, or int) int {
	t.Helper()
	text := os.Getenv(key)
	if text == "" {
		return or
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s=%s is no number", key, text)
	}
	return n
}

const (
	perSession  = 400 // commands that one hostile session sends
	shortForm   = 2000
	perTorture  = 1000 // commands for each round that DROVER_TORTURE asks for
	mostReplays = 40   // of one failure
)

// Whatever a client sends of the commands that pass, it ends no other session,
// slows none to a standstill, changes nothing there, and hears and tells
// nothing. DROVER_TORTURE_COMMANDS says how many commands it sends,
// DROVER_TORTURE_SEED which, DROVER_TORTURE_SKIP how many of these it leaves out
// first, DROVER_TORTURE_ONLY how their names may begin (several words). With DROVER_TORTURE_KEEP, what was sent before a failure goes
// into that folder, with what Chromium writes about its crashes, those of pages
// included, and the run goes on without looking for the commands that did it.
func TestTortureOfTheProtocol(t *testing.T) {
	t.Parallel()
	n, seed := testlevel.Of(shortForm/3, shortForm), 1
	if rounds := number(t, "DROVER_TORTURE", 0); rounds > 0 {
		n, seed = rounds*perTorture, int(time.Now().Unix())
	}
	n, seed = number(t, "DROVER_TORTURE_COMMANDS", n), number(t, "DROVER_TORTURE_SEED", seed)
	d, _ := described(t)
	r := &torture{t: t, d: d, site: tortureSite(t), muted: map[string]bool{}}
	stream := protocolfuzz.New(d, uint64(seed), passes)
	skip := number(t, "DROVER_TORTURE_SKIP", 0) / perSession * perSession
	t.Logf("%d commands of %d, DROVER_TORTURE_SEED=%d DROVER_TORTURE_SKIP=%d", n, stream.Methods(), seed, skip)
	for range skip / perSession {
		stream.Take(perSession)
		r.batches++
	}
	begun := time.Now()
	for sent := 0; sent < n; sent += perSession {
		r.batch(stream.Take(min(perSession, n-sent)))
		if sent%(perSession*25) == 0 {
			t.Logf("%d commands after %s, %d failures", sent, time.Since(begun).Round(time.Second), r.failures)
		}
	}
	if r.a != nil {
		t.Log(r.a.tally.String())
		t.Logf("%.0f commands/s; the bystander's longest wait was %s", float64(n)/time.Since(begun).Seconds(), time.Duration(r.a.worst.Load()))
		r.a.close()
	}
}

// torture is a run of many batches.
type torture struct {
	t        *testing.T
	d        *protocolfuzz.Description
	site     string
	a        *arena
	batches  int
	before   []protocolfuzz.Step // those of the last batch
	failures int
	muted    map[string]bool // methods that are known to do harm
}

// batch plays steps beside a bystander, which goes on as long as all is well.
func (r *torture) batch(steps []protocolfuzz.Step) {
	steps = slices.DeleteFunc(steps, func(s protocolfuzz.Step) bool { return r.muted[s.Method] })
	r.batches++
	bare := r.batches%2 == 0
	if r.a == nil {
		r.a = newArena(r.t, r.site, silence)
	}
	before := r.before
	r.before = steps
	suspects, err := r.a.play(r.d, steps, bare)
	if err == nil {
		return
	}
	if len(r.a.sent) == 0 { // it was done by those before
		steps, suspects, bare, r.before = before, nil, !bare, nil
	}
	r.a.close()
	r.failures++
	if dir := os.Getenv("DROVER_TORTURE_KEEP"); dir != "" {
		r.keep(dir, err)
		r.a = nil
		return
	}
	r.t.Logf("%v\n%s\nlooking for what did it among %d commands, of which these are unanswered\n%s", err, fatal(r.a.log.last(9000)), len(steps), waiting(suspects))
	r.a = nil
	least, sent := r.reduce(steps, suspects, bare, kind(err))
	r.t.Errorf("%v: reproduced by\n%s", err, shown(least))
	for _, frame := range sent {
		r.t.Logf("sent: %.1500s", frame)
	}
	if len(least) > 0 && len(least) < 5 {
		r.muted[least[len(least)-1].Method] = true
	}
}

// keep writes down what came before a failure.
func (r *torture) keep(dir string, err error) {
	name := filepath.Join(dir, fmt.Sprintf("failure-%d-%d", os.Getpid(), r.failures))
	for suffix, text := range map[string]string{
		"sent": strings.Join(r.a.sent, "\n"), "before": strings.Join(r.a.before, "\n"), "log": r.a.log.last(1 << 20),
	} {
		if err := os.WriteFile(name+"."+suffix, []byte(text), 0o600); err != nil {
			r.t.Error(err)
		}
	}
	r.t.Errorf("%v: see %s.*\n%s", err, name, fatal(r.a.log.last(9000)))
}

// fatal is what a browser said when it died.
func fatal(log string) string {
	if at := strings.LastIndex(log, "FATAL"); at >= 0 {
		return log[at:min(len(log), at+400)]
	}
	return log[max(0, len(log)-300):]
}

// kind is which of the errors it is.
func kind(err error) error {
	for _, kind := range []error{errEnded, errSilent, errWrong} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return errEnded
}

// harms plays steps in a new browser. It returns the frames that were sent last
// if they do the same harm.
func (r *torture) harms(steps []protocolfuzz.Step, bare bool, harm error) ([]string, bool) {
	a := newArena(r.t, r.site, shortSilence)
	defer a.close()
	_, err := a.play(r.d, steps, bare)
	if err == nil {
		err = a.linger(5 * time.Second)
	}
	return a.last(), err != nil && kind(err) == harm
}

// reduce looks for as few steps as do harm: one of those that were under way
// when it was done, or else what is left when parts are taken away.
func (r *torture) reduce(steps []protocolfuzz.Step, suspects []sent, bare bool, harm error) (_ []protocolfuzz.Step, sent []string) {
	replays := 0
	harms := func(steps []protocolfuzz.Step) bool {
		replays++
		frames, does := r.harms(steps, bare, harm)
		if does {
			sent = frames
		}
		return does
	}
	var under []protocolfuzz.Step
	for _, s := range suspects {
		under = append(under, s.Step)
	}
	if len(under) > 0 && len(under) < len(steps) && harms(under) {
		steps = under
	} else if !harms(steps) {
		return nil, nil
	}
	for part := (len(steps) + 1) / 2; len(steps) > 1 && replays < mostReplays; part = (part + 1) / 2 {
		for at := 0; at < len(steps) && replays < mostReplays; {
			without := slices.Delete(slices.Clone(steps), at, min(at+part, len(steps)))
			if len(without) > 0 && harms(without) {
				steps = without
			} else {
				at += part
			}
		}
		if part == 1 {
			break
		}
	}
	return steps, sent
}

// waiting are commands that were not answered, as they were sent.
func waiting(list []sent) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%s: %.300s\n", s.kind, s.frame)
	}
	return b.String()
}

// shown are steps as lines of JSON.
func shown(steps []protocolfuzz.Step) string {
	if len(steps) == 0 {
		return "(nothing: it did not happen again)"
	}
	var b strings.Builder
	for _, step := range steps {
		line, _ := json.Marshal(step)
		fmt.Fprintf(&b, "%.1500s\n", line)
	}
	return b.String()
}
