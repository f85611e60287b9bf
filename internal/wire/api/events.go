package api

import "bytes"

// Events are a [Live] answer of server-sent events.
type Events struct{ live *Live }

// Events begins such an answer, with its headers. It must be ended.
func (x *Exchange) Events() *Events { return &Events{x.live("text/event-stream")} }

// Break is that of [Live].
func (e *Events) Break() { e.live.Break() }

// End is that of [Live].
func (e *Events) End() { e.live.End() }

// Send writes an event with a body in JSON; without an id, those who come back
// name the one before it.
func (e *Events) Send(name, id string, body any) error {
	b := buffers.Get().(*buffer)
	defer b.release()
	if err := b.encode(body); err != nil {
		return err
	}
	var head bytes.Buffer
	head.WriteString("event: " + name + "\n")
	if id != "" {
		head.WriteString("id: " + id + "\n")
	}
	head.WriteString("data: ")
	return e.live.Send(head.Bytes(), bytes.TrimSuffix(b.data, []byte("\n")), []byte("\n\n"))
}

// Beat writes a sign of life, which clients pass over.
func (e *Events) Beat() error { return e.live.Send([]byte(":\n\n")) }
