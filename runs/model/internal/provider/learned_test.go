package provider

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestWhatIsRefusedIsLearnedOnce(t *testing.T) {
	var l Learned[string]
	if !l.Takes("a") {
		t.Error("refused before it was")
	}
	var first atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if l.Refuse("a") {
				first.Add(1)
			}
		})
	}
	if all.Wait(); first.Load() != 1 || l.Takes("a") || !l.Takes("b") {
		t.Errorf("%d were first", first.Load())
	}
	var many Learned[int]
	for i := range maxLearned + 1 {
		many.Refuse(i)
	}
	if many.Takes(maxLearned) || len(many.refused) > maxLearned {
		t.Errorf("%d are remembered", len(many.refused))
	}
}
