package runs

import (
	"context"

	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/storage"
)

// heldValues are what a run needs that is never stored.
type heldValues struct {
	vault *secrets.Vault
	// proxies with passwords; nil where the run has none.
	proxies *Proxies
}

func newValues(c Config) *execution.Values[heldValues] {
	over := func(ctx context.Context, q storage.Querier, id string) (bool, error) {
		status, err := findStatus(ctx, q, id)
		return status.Final(), err
	}
	return execution.NewValues[heldValues](execution.ValuesConfig{Name: jobKind, DB: c.DB, Notify: c.Notify, Logger: c.Logger, Over: over})
}

// keepValues holds the values of a run's variables until the run has ended, and
// those of its proxies' passwords.
func (s *service) keepValues(runID string, c Create) {
	h := heldValues{}
	if c.BrowserSettings.Proxies.Secret() {
		h.proxies = &c.BrowserSettings.Proxies
	}
	if len(c.Variables) == 0 && h.proxies == nil {
		return
	}
	h.vault = s.vaultOf(c)
	s.vaults.Keep(runID, h)
}

// values returns those of a run; false if this process does not have them.
func (s *service) values(runID string) (heldValues, bool) { return s.vaults.Get(runID) }

// vaultOf holds the variables of a run, which were validated.
func (s *service) vaultOf(c Create) *secrets.Vault {
	vars := map[string]secrets.Variable{}
	for name, v := range c.Variables {
		vars[name], _ = readVariable("", v)
	}
	return secrets.NewVault(vars, s.conf.Clock)
}
