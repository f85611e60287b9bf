package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// store are the flags of every command that opens a database.
type store struct {
	Data string `default:"drover-data" help:"Data directory; \":memory:\" keeps nothing. Default ${default}." placeholder:"DIR"`
}

// network are the flags of every command that reaches out.
type network struct {
	AllowPrivateNetworks bool `help:"Let pages and callers reach private and loopback addresses."`
	remoteBrowser
	Proxy []string `sep:"," env:"DROVER_PROXIES" help:"Proxy for who asks for proxies: [http|https|socks5]://[user:password@]host:port, and where it leads out, if that is known: #country=US&state=NY&city=New York. Repeatable, used in turn. Processes of others see flags: passwords are safer in the variable, commas between proxies." placeholder:"URL"`
}

func (n network) apply(o *drover.Options) {
	o.Proxies = n.Proxy
	n.remoteBrowser.apply(&o.Chromium)
	if n.AllowPrivateNetworks {
		o.AllowPrefixes = egress.PrivatePrefixes()
	}
}

// mustExist refuses a directory that has no database, for a command about what
// is there.
func (s store) mustExist() error {
	if s.Data == drover.InMemory {
		return errNotInMemory
	}
	if _, err := os.Stat(filepath.Join(s.Data, databaseFile)); err != nil {
		return errtypes.New(errtypes.NotFound, "%s has no database; \"drover serve\" or \"drover keys create\" makes it, or name another directory with --data", s.Data).WithCause(err)
	}
	return nil
}

var errNotInMemory = errtypes.Field("--data", "must be a directory: what is kept in memory would be gone at once")

// databaseFile is what a data directory is known by.
const databaseFile = "drover.db"

// openTool opens Drover for a command that comes and goes: it runs no jobs of
// its own, since another process may be serving the same data.
func openTool(ctx context.Context, data string, n network, log *slog.Logger, set ...func(*drover.Options)) (*drover.Drover, error) {
	o := drover.Options{Data: data, Workers: drover.WorkersNever, Logger: log}
	n.apply(&o)
	for _, more := range set {
		more(&o)
	}
	giveMasterKeys(&o)
	return drover.Open(ctx, o)
}
