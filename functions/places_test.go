package functions

import (
	"context"
	"testing"
)

// A project that may execute one invocation executes the next one when that has
// ended.
func TestInvocationsOfAProjectWaitForEachOther(t *testing.T) {
	t.Parallel()
	began, leave := make(chan string, 3), make(chan struct{})
	wait := func(ctx context.Context, inv *Invocation) (any, error) {
		began <- inv.ID
		select {
		case <-leave:
		case <-ctx.Done():
		}
		return nil, nil
	}
	w := start(t, setup{limits: Limits{PerProject: 1}, functions: []Definition{Func("a", wait, FuncOptions{}), Func("b", wait, FuncOptions{})}})
	a := w.invoke(t, "a", Invoke{})
	if first := <-began; first != a.ID {
		t.Fatal(first)
	}
	b := w.invoke(t, "b", Invoke{})
	again := w.invoke(t, "a", Invoke{})
	for range 2 {
		leave <- struct{}{}
		<-began
		// Only one is under way: the other has not begun.
		running := 0
		for _, id := range []string{a.ID, b.ID, again.ID} {
			inv, err := w.Invocation(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if inv.Status == Running {
				running++
			}
		}
		if running != 1 {
			t.Errorf("%d are under way", running)
		}
	}
	leave <- struct{}{}
	for _, id := range []string{a.ID, b.ID, again.ID} {
		if inv, err := w.Wait(t.Context(), id); err != nil || inv.Status != Completed {
			t.Errorf("%+v %v", inv, err)
		}
	}
}
