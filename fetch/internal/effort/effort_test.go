package effort

import (
	"context"
	"errors"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

func TestSparingKeepsSteps(t *testing.T) {
	m := NewMeter(context.Background(), "read", 100)
	var inner, outer bool
	err := m.Run(func() error {
		outer = m.Sparing(20, func() {
			inner = m.Sparing(60, func() {
				for {
					m.Step(1)
				}
			})
			m.Step(30)
		})
		m.Step(5)
		return nil
	})
	if inner || !outer || err != nil || m.Taken() != 41+30+5 {
		t.Errorf("inner %v, outer %v, %d taken: %v", inner, outer, m.Taken(), err)
	}
}

func TestSparingIsBrokenOffByOthers(t *testing.T) {
	m := NewMeter(context.Background(), "read", 100)
	if err := m.Run(func() error { m.Sparing(50, func() { m.GiveUp("no") }); return nil }); errtypes.KindOf(err) != errtypes.BadGateway {
		t.Errorf("given up: %v", err)
	}
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(reason)
	m = NewMeter(ctx, "read", 10*askEvery)
	if err := m.Run(func() error { m.Sparing(0, func() { m.Step(askEvery) }); return nil }); !errors.Is(err, reason) {
		t.Errorf("ended: %v", err)
	}
	if err := m.Run(func() error { m.Sparing(100*askEvery, func() {}); m.Step(100 * askEvery); return nil }); errtypes.KindOf(err) != errtypes.BadGateway {
		t.Errorf("too many: %v", err)
	}
}
