package functions

import "sync"

// closing tells whether the service is being closed.
type closing struct {
	mu    sync.Mutex
	begun bool
}

func (c *closing) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun = true
}

func (c *closing) err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.begun {
		return errClosing
	}
	return nil
}
