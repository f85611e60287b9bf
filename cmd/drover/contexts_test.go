package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/storage/contexts"
)

// Who deletes a context that a session uses hears what comes of it.
func TestDeletingAContextThatIsUsed(t *testing.T) {
	data := t.TempDir()
	d, err := drover.Open(t.Context(), drover.Options{Data: data, Workers: drover.WorkersNever})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ctx, err := d.Projects.In(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	for holder, says := range map[string]string{
		"s-1": "; session s-1 used it and will save nothing.", "import 2": "; an import into it will save nothing.",
	} {
		one, err := d.Contexts.Create(ctx, contexts.Create{})
		if err != nil {
			t.Fatal(err)
		}
		lease, err := d.Contexts.Open(ctx, contexts.Use{ContextID: one.ID, Holder: holder, Persist: true})
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if code := run([]string{"contexts", "delete", "--data", data, one.ID}, console{&out, &errs}); code != 0 || out.String() != "Deleted context "+one.ID+says+"\n" {
			t.Errorf("%d: %s%s", code, out.String(), errs.String())
		}
		if err := lease.Free(ctx); err != nil {
			t.Error(err)
		}
	}
}

func TestSessionRetentionFlag(t *testing.T) {
	for arg, want := range map[string]time.Duration{"": 0, "--session-retention=36h": 36 * time.Hour, "--session-retention=-1s": -time.Second} {
		var cmds commands
		parser, err := kong.New(&cmds)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(strings.Fields("serve " + arg)); err != nil {
			t.Fatal(err)
		}
		var o drover.Options
		cmds.Serve.limits.apply(&o)
		if o.SessionRetention != want {
			t.Errorf("%s: %v", arg, o.SessionRetention)
		}
	}
}
