package browser

import "context"

// Client is the other end of a connection that speaks the browser's protocol,
// such as a websocket. Its user closes it when [Session.Serve] has returned.
type Client interface {
	// Read returns the next message, JSON, which then belongs to the caller.
	// One goroutine reads. It returns when ctx ends, and io.EOF when the client
	// has left.
	Read(ctx context.Context) ([]byte, error)
	// Write sends a message, JSON. One goroutine writes. It returns when ctx
	// ends, and does not keep the message.
	Write(ctx context.Context, message []byte) error
}
