package limit_test

import (
	"errors"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/limit"
)

func TestTheFirstLimitBelowZeroIsNamed(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"":                                    limit.Check(limit.Of("A", 0), limit.Of("B", int64(1)), limit.Of("C", time.Hour)),
		"B must not be below 0; it is -2":     limit.Check(limit.Of("A", 1), limit.Of("B", int64(-2)), limit.Of("C", -1)),
		"X.C must not be below 0; it is -1s":  limit.Within("X", limit.Check(limit.Of("C", -time.Second))),
		"X.Y.C must not be below 0; it is -1": limit.Within("X", limit.Within("Y", limit.Check(limit.Of("C", -1)))),
	} {
		switch {
		case want == "" && err != nil:
			t.Error(err)
		case want != "" && (!errtypes.Is(err, errtypes.Invalid) || err.Error() != want):
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestOtherErrorsHaveNoField(t *testing.T) {
	t.Parallel()
	other := errors.New("no disk")
	if err := limit.Within("X", other); err != other {
		t.Error(err)
	}
	if err := limit.Within("X", nil); err != nil {
		t.Error(err)
	}
}

func TestDefaultsFillWhatIsZero(t *testing.T) {
	t.Parallel()
	var l struct {
		Size, Queue int
		Time        time.Duration
	}
	l.Size, l.Queue = 3, -1
	values := []limit.Value{
		limit.Or("Size", &l.Size, 10), limit.Or("Queue", &l.Queue, 20).Signed(), limit.Or("Time", &l.Time, time.Minute), limit.Of("Total", 0),
	}
	if err := limit.Check(values...); err != nil {
		t.Error(err)
	}
	if limit.Fill(values...); l.Size != 3 || l.Queue != -1 || l.Time != time.Minute {
		t.Errorf("%+v", l)
	}
}

func TestWhatIsRequiredIsNamed(t *testing.T) {
	t.Parallel()
	err := limit.Required(map[string]bool{"DB": false, "Jobs": true, "Notify": true})
	if !errtypes.Is(err, errtypes.Invalid) || err.Error() != "Config.Jobs is required" {
		t.Error(err)
	}
	if err := limit.Required(map[string]bool{"DB": false}); err != nil {
		t.Error(err)
	}
}
