package platform

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
)

// inputRecord is the key of the input that a run was started with. After a metamorph
// there are others, which give no rights: the run has written them itself.
const inputRecord = "INPUT"

// ofStore is the right to the store in the path.
func ofStore(kind records.Kind) right {
	return func(x *exchange, run actors.Caller) error {
		if id := x.Path("storeId"); id == run.KeyValueStoreID || id == run.DatasetID || id == run.RequestQueueID {
			return nil
		}
		s, err := x.Records.Get(x.R.Context(), kind, x.Path("storeId"))
		if err != nil {
			return err
		}
		return x.mayUse(run, s)
	}
}

func (x *exchange) mayUse(run actors.Caller, s records.Store) error {
	r, err := x.Actors.Run(x.R.Context(), run.RunID)
	if err != nil {
		return err
	}
	may, err := x.uses(x.R.Context(), r, s)
	if err == nil && !may {
		err = errLimited("The run has limited permissions, and may use no store but its own, those that its Actor or a run that it has started has made, and those that its input names")
	}
	return err
}

// uses reports whether a run may use a store: one of its own, one that its Actor has made
// in any run, one of a run that it has started, and one that its input names. That of a
// run which another one has started names only what that may use itself.
func (x *exchange) uses(ctx context.Context, r actors.RunInfo, s records.Store) (bool, error) {
	if slices.Contains([]string{r.KeyValueStoreID, r.DatasetID, r.RequestQueueID}, s.ID) || s.ActRunID == r.ID || s.ActID != "" && s.ActID == r.ProgramID {
		return true, nil
	}
	if s.ActRunID != "" {
		maker, err := x.Actors.Run(ctx, s.ActRunID)
		if err == nil && maker.Meta.RunID == r.ID {
			return true, nil
		}
		if err != nil && !errtypes.Is(err, errtypes.NotFound) {
			return false, err
		}
	}
	named, err := x.inputNames(ctx, r, s)
	if err != nil || !named || r.Meta.RunID == "" {
		return named, err
	}
	return x.starterUses(ctx, r.Meta.RunID, s)
}

// starterUses reports whether the run with the id, which has started another one, may use
// a store. One that is gone may not.
func (x *exchange) starterUses(ctx context.Context, id string, s records.Store) (bool, error) {
	r, err := x.Actors.Run(ctx, id)
	if err == nil {
		var a actors.Actor
		if a, err = x.Actors.Actor(ctx, r.ProgramID); err == nil && cmp.Or(r.Options.Permissions, a.Permissions) == actors.FullPermissions {
			return true, nil
		}
	}
	if errtypes.Is(err, errtypes.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return x.uses(ctx, r, s)
}

// inputNames reports whether a text of the input of a run, however deep, is the id or the
// name of a store.
func (x *exchange) inputNames(ctx context.Context, r actors.RunInfo, s records.Store) (bool, error) {
	content, _, err := x.Records.OpenRecord(ctx, r.KeyValueStoreID, inputRecord)
	if errtypes.Is(err, errtypes.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer content.Close()
	return mentions(content, s), nil
}

// mentions looks for a store in JSON; other content names none.
func mentions(content io.Reader, s records.Store) bool {
	d := json.NewDecoder(content)
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		if text, ok := token.(string); ok && isNameOf(text, s) {
			return true
		}
	}
}

// isNameOf compares a text with the id and the name of a store, without regard to case,
// as it is found by it: alone, or behind the username and a tilde or, as people write it,
// a slash.
func isNameOf(text string, s records.Store) bool {
	owner, name, apart := strings.Cut(strings.Replace(text, "/", "~", 1), "~")
	if !apart {
		owner, name = "", text
	}
	return text == s.ID || s.Name != "" && strings.EqualFold(name, s.Name) && (owner == "" || strings.EqualFold(owner, s.Username))
}

// keepsInput refuses that a run with limited permissions changes the input of a run, which
// says what that may use.
func (x *exchange) keepsInput() error {
	if _, limited := limitedRun(x.R.Context()); !limited || x.Path("recordKey") != inputRecord {
		return nil
	}
	s, err := x.Records.Get(x.R.Context(), records.KeyValueStore, x.Path("storeId"))
	if err != nil || s.ActRunID == "" {
		return err
	}
	r, err := x.Actors.Run(x.R.Context(), s.ActRunID)
	switch {
	case errtypes.Is(err, errtypes.NotFound):
		return nil
	case err == nil && r.KeyValueStoreID == s.ID:
		return errLimited("The run has limited permissions, and may not change the record %s of a run: it says what that may use", inputRecord)
	}
	return err
}
