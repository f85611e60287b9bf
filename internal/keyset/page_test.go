package keyset

import (
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
)

func at(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func TestWindowBoundsAreInclusiveToTheMillisecond(t *testing.T) {
	for name, test := range map[string]struct {
		start, end         time.Time
		wantStart, wantEnd int64
	}{
		"whole":     {at(5), at(9), 5, 9},
		"fractions": {at(5).Add(1), at(9).Add(999_999), 6, 9},
	} {
		w, err := codec.Window(Filter{StartAt: test.start, EndAt: test.end}, "x")
		if err != nil || w.Start != test.wantStart || w.Before != (Position{At: test.wantEnd + 1}) {
			t.Errorf("%s: %+v, %v", name, w, err)
		}
	}
}

func TestWindowLimits(t *testing.T) {
	for limit, want := range map[int]int{0: DefaultLimit, 1: 1, 1000: 1000} {
		if w, err := codec.Window(Filter{Limit: limit}); err != nil || w.Limit != want || w.Fetch() != want+1 {
			t.Errorf("limit %d: %+v, %v", limit, w, err)
		}
	}
	for _, limit := range []int{-1, 1001} {
		if _, err := codec.Window(Filter{Limit: limit}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

func TestCutGivesTheCursorOfTheNextPage(t *testing.T) {
	position := func(n int64) Position { return Position{At: n, ID: "id"} }
	w, _ := codec.Window(Filter{Limit: 2}, "x")
	if page, next := Cut(w, []int64{9, 8}, position); len(page) != 2 || next != "" {
		t.Errorf("last page: %v, %q", page, next)
	}
	page, next := Cut(w, []int64{9, 8, 7}, position)
	if len(page) != 2 || next == "" {
		t.Fatalf("first page: %v, %q", page, next)
	}
	w, err := codec.Window(Filter{Limit: 5, Cursor: next}, "x")
	if err != nil || w.Before != (Position{8, "id"}) {
		t.Errorf("%+v, %v", w, err)
	}
	for name, f := range map[string]Filter{
		"other start": {Cursor: next, StartAt: at(1)}, "other end": {Cursor: next, EndAt: at(1)}, "forged": {Cursor: next + "x"},
	} {
		if _, err := codec.Window(f, "x"); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := codec.Window(Filter{Cursor: next}, "y"); err == nil {
		t.Error("another list's cursor is taken")
	}
}
