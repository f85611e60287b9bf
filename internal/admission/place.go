package admission

import "github.com/drover-go/drover/errtypes"

// A Place is a request that waits in its turn without anybody who waits for it. It
// is made by [Ledger.Await]. Its methods may be called by any goroutine.
type Place struct {
	ledger *Ledger
	waiter *waiter
}

// Await has a request wait for room as [Ledger.Reserve] does, in turn with all
// others, and returns at once. Request.Wait has no meaning: it waits until the place
// is left, and room that has been found for it is kept until it is taken. Ready is
// called once there is room for it; it must not block. The error is as that of Reserve where there can never be room.
func (l *Ledger) Await(r Request, ready func()) (_ *Place, err error) {
	defer errtypes.Wrap(&err, "admission.Await(%d bytes)", r.Bytes)
	if r, err = l.checked(r); err != nil {
		return nil, err
	}
	p := &Place{ledger: l, waiter: &waiter{request: r, patience: l.opts.Wait / 2, admitted: ready}}
	if l.wait(p.waiter) != nil {
		ready()
	}
	return p, nil
}

// Take returns the grant, once; nil while there is no room, and when the place was
// left.
func (p *Place) Take() *Grant {
	p.ledger.mu.Lock()
	defer p.ledger.mu.Unlock()
	g := p.waiter.grant
	p.waiter.grant = nil
	return g
}

// Leave gives the place up, with the room that was found for it unless that has
// been taken. It may be called more than once.
func (p *Place) Leave() { _ = p.ledger.giveUp(p.waiter, nil) }
