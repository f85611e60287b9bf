package mux

import (
	"encoding/json"
	"errors"

	"github.com/chromedp/cdproto/target"
)

// hiddenType is what the browser calls targets that are no tabs: those that a
// client has hidden, and surfaces of its own.
const hiddenType = "other"

var errHidden = errors.New("a hidden target is there to be seen by other clients, not to be attached to")

// createHidden makes a target for a client that lets others see that it is
// there: an empty one, which ends with the client's root. Nobody may attach to
// it, so nothing happens in it that the session would not know.
func (c *conn) createHidden(params json.RawMessage) (any, error) {
	made, err := Decoded[target.CreateTargetResult](c.call(c.root, target.CreateTarget.Method, params))
	if err != nil {
		return nil, err
	}
	found, err := Decoded[target.GetTargetInfoResult](c.call(c.root, target.GetTargetInfo.Method, target.GetTargetInfoParams(made)))
	if err != nil {
		return nil, err
	}
	c.clients.hide(found.TargetInfo)
	return made, nil
}

// hide adds a hidden target, of which the browser tells as of its own surfaces.
func (v *Clients) hide(info *target.Info) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.add(info)
}
