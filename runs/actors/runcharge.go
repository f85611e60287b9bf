package actors

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// vendorEvents is what names of events begin with that the hosted service charges.
const vendorEvents = "apify-"

// maxEventName is how long the name of an event may be, and maxChargedEvents how many
// different ones a run may charge.
const maxEventName, maxChargedEvents = 100, 100

func (c Charge) validate() error {
	const longest, longestKey, most = maxEventName, 200, 1_000_000_000
	switch {
	case c.Event == "":
		return errtypes.Field("eventName", "is required")
	case !utf8.ValidString(c.Event) || utf8.RuneCountInString(c.Event) > longest:
		return errtypes.Field("eventName", "must be at most %d characters of valid UTF-8", longest)
	case strings.HasPrefix(c.Event, vendorEvents):
		return errtypes.OfType(errtypes.TypeCannotChargeVendorEvent, "The event %q is charged by the platform, and not by Actors", c.Event)
	case c.Count < 1 || c.Count > most:
		return errtypes.Field("count", "must be from 1 to %d", most)
	case !utf8.ValidString(c.Key) || utf8.RuneCountInString(c.Key) > longestKey:
		return errtypes.OfType(errtypes.TypeInvalidIdempotencyKey, "the idempotency key must be at most %d characters of valid UTF-8", longestKey)
	}
	return nil
}

func (s *service) Charge(ctx context.Context, id string, c Charge) (err error) {
	defer errtypes.Wrap(&err, "actors.Charge(%q)", id)
	if c.Count == 0 {
		c.Count = 1
	}
	if err := c.validate(); err != nil {
		return err
	}
	_, err = s.changeRun(ctx, id, func(ctx context.Context, tx *storage.Tx, r runRow) (runRow, error) {
		if made, err := s.isCharged(ctx, tx, id, c); made || err != nil {
			return r, err
		}
		if r.Status.Final() {
			return r, errFinished(r)
		}
		return r, charge(ctx, tx, r, c)
	})
	return err
}

// isCharged reports whether a charge has been made before.
func (s *service) isCharged(ctx context.Context, q storage.Querier, id string, c Charge) (bool, error) {
	if c.Key == "" {
		return false, nil
	}
	event, count, err := findCharge(ctx, q, id, c.Key)
	switch {
	case errors.Is(err, storage.ErrNoRow):
		return false, nil
	case err != nil:
		return false, err
	case event != c.Event || count != c.Count:
		return false, errtypes.OfType(errtypes.TypeInvalidIdempotencyKey, "the idempotency key %q is that of another charge", c.Key)
	}
	return true, nil
}

// charge counts what was not counted yet.
func charge(ctx context.Context, tx *storage.Tx, r runRow, c Charge) error {
	all := maps.Clone(r.Charged)
	if all == nil {
		all = map[string]int64{}
	}
	all[c.Event] += c.Count
	if len(all) > maxChargedEvents {
		return errtypes.OfType(errtypes.TypeTooManyValues, "a run may charge %d different events", maxChargedEvents)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return insertCharge(ctx, tx, r.ID, c, string(text))
}

func findCharge(ctx context.Context, q storage.Querier, runID, key string) (event string, count int64, err error) {
	err = q.QueryRow(ctx, `SELECT event, items FROM actor_run_charges WHERE run_id = $1 AND key = $2`, runID, key).Scan(&event, &count)
	return event, count, err
}

// insertCharge writes the counts of a run down, and the key of the charge that they have
// come from, if it has one.
func insertCharge(ctx context.Context, q storage.Querier, runID string, c Charge, counts string) error {
	if _, err := q.Exec(ctx, `UPDATE actor_runs SET charges = $2 WHERE id = $1`, runID, counts); err != nil || c.Key == "" {
		return err
	}
	_, err := q.Exec(ctx, `INSERT INTO actor_run_charges (run_id, key, event, items) VALUES ($1, $2, $3, $4)`, runID, c.Key, c.Event, c.Count)
	return err
}
