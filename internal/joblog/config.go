package joblog

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

// Config configures [New]. DB, Notify and Blobs are required.
type Config struct {
	// DB holds the rows.
	DB *storage.DB
	// Notify tells who follows.
	Notify *notify.Hub
	// Blobs hold sealed logs and nothing else: what no log names there is deleted.
	Blobs blob.Store
	// Reaper tells of processes that died, whose logs are ended. Default nil: they
	// stay open.
	Reaper *reaper.Reaper
	// Keeper seals what a process that died has left, and deletes blobs that no
	// log names. Default nil: nobody does.
	Keeper *retention.Keeper
	// Flush is how long an entry waits at the most before it is written: so much
	// is lost when the process is killed. Default 1 second.
	Flush time.Duration
	// MaxWaiting is how many bytes of all logs of this process may wait to be
	// written; beyond it entries are dropped, and their number is logged.
	// Default 32 MiB.
	MaxWaiting int64
	// Clock paces the flushes. Default that of DB.
	Clock clock.Clock
	// Logger hears of logs that cannot be written. Default discards.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	c.Flush = cmp.Or(c.Flush, time.Second)
	c.MaxWaiting = cmp.Or(c.MaxWaiting, 32<<20)
	c.Clock = cmp.Or(c.Clock, c.DB.Clock())
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	return c
}

func (c Config) validate() error {
	return limit.Required(map[string]bool{"DB": c.DB == nil, "Notify": c.Notify == nil, "Blobs": c.Blobs == nil})
}
