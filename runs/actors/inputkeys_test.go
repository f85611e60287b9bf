package actors

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/runs/actors/internal/inputsecret"
)

// hiding is an Actor with secret fields, which puts out its input as its handler has it.
func hiding(name string) Definition {
	return Func(name, func(ctx context.Context, a *Run) error {
		var in map[string]any
		if err := a.Input(&in); err != nil {
			return err
		}
		return a.SetOutput(ctx, in)
	}, FuncOptions{InputSchema: []byte(`{"type":"object","properties":{
		"password":{"type":"string","editor":"textfield","isSecret":true,"minLength":4,"maxLength":20},
		"cookies":{"type":"array","editor":"json","isSecret":true},
		"options":{"type":"object","editor":"json","isSecret":true,"default":{"a":1}},
		"plain":{"type":"string","editor":"textfield"}}}`)})
}

func TestSecretFieldsOfInputsLieSealed(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{hiding("hides"), hiding("becomes")}})
	r := w.run(t, "~hides", Start{Input: input(`{"password":"s3cr3t-ü","cookies":[{"v":1.50}],"plain":"s"}`)})
	want := `{"password":"s3cr3t-ü","cookies":[{"v":1.50}],"options":{"a":1},"plain":"s"}`
	if got := w.output(t, r); !sameJSON(t, got, want) {
		t.Errorf("%s: %s", r.StatusMessage, got)
	}
	stored := w.value(t, r, "INPUT")
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(stored), &fields); err != nil || string(fields["plain"]) != `"s"` || strings.Contains(stored, "s3cr3t") || strings.Contains(stored, "1.50") {
		t.Fatalf("%s %v", stored, err)
	}
	for _, name := range []string{"password", "cookies", "options"} {
		if !inputsecret.Is(fields[name]) {
			t.Errorf("%s: %s", name, fields[name])
		}
	}
	// What comes sealed, as in the input of another run, is taken as it is, though it is
	// longer than it may be, and of another type.
	again := w.run(t, "~hides", Start{Input: input(stored)})
	if got := w.output(t, again); !sameJSON(t, got, want) || w.value(t, again, "INPUT") != stored {
		t.Errorf("%s: %s", again.StatusMessage, got)
	}
	// It is another Actor's business that it cannot be opened there.
	if other := w.run(t, "~becomes", Start{Input: input(`{"password":"other","plain":"x"}`)}); other.Status != Succeeded {
		t.Errorf("%+v", other)
	}
	if other := w.run(t, "~becomes", Start{Input: input(stored)}); other.Status != Failed {
		t.Errorf("%s", w.output(t, other))
	}
	_, err := w.Start(t.Context(), "~hides", Start{Input: input(`{"password":"abc"}`)})
	fails(t, err, errtypes.Invalid, errtypes.TypeInvalidInput, "input.password must NOT have fewer than 4 characters")
	_, err = w.Start(t.Context(), "~hides", Start{Input: input(strings.Replace(stored, `"plain":"s"`, `"plain":1`, 1))})
	fails(t, err, errtypes.Invalid, errtypes.TypeInvalidInput, "input.plain must be string")
}

// Runs that are started at once have one key.
func TestAnActorHasOneInputKey(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{hiding("hides")}})
	a := must(w.Actor(t.Context(), "~hides"))(t)
	keys, errs := make([]*rsa.PrivateKey, 8), make([]error, 8)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() { keys[i], errs[i] = w.makeInputKey(t.Context(), a.ID) })
	}
	all.Wait()
	for i, key := range keys {
		if errs[i] != nil || !key.Equal(keys[0]) {
			t.Fatalf("two keys, or none: %v", errs[i])
		}
	}
	if key, err := w.makeInputKey(t.Context(), "gone"); key != nil || err != nil {
		t.Errorf("%v", err)
	}
	things := must(SealedInputKeys(t.Context(), w.db))(t)
	if len(things.Keys) != 1 || !w.keys.OpensAny(things) {
		t.Fatalf("%+v", things)
	}
	// The master key changes.
	was := w.value(t, w.run(t, "~hides", Start{Input: input(`{"password":"s3cr3t"}`)}), "INPUT")
	next := seal.NewRing(seal.NewKey())
	if n, err := ResealInputKeys(t.Context(), w.db, next); n != 0 || err == nil {
		t.Errorf("%d with another key: %v", n, err)
	}
	if got := w.output(t, w.run(t, "~hides", Start{Input: input(was)})); !strings.Contains(got, "s3cr3t") {
		t.Error(got)
	}
}
