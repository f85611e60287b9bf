package storage_test

import (
	"context"
	"testing"
	"time"

	"github.com/drover-go/drover/storage"
)

// A process that writes one transaction after the other leaves the file free for
// moments only. Others get their turns all the same.
func TestAWriterWithoutPauseStarvesNobody(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func() *storage.DB {
		db, err := storage.Open(t.Context(), storage.Options{Dir: dir, BusyTimeout: 250 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
	busy, other := open(), open()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	started := make(chan struct{})
	go func() {
		for n := 0; ctx.Err() == nil; n++ {
			err := busy.Write(t.Context(), func(context.Context, *storage.Tx) error {
				if n == 0 {
					close(started)
				}
				time.Sleep(20 * time.Millisecond) // what it does takes this long
				return nil
			})
			if err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	<-started
	for range 10 {
		if err := other.TryWrite(t.Context()); err != nil {
			t.Error(err)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the busy one: %v", err)
	}
}
