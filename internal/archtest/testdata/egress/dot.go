package dials

import (
	. "net" // want a dot import of net
	"net/url"
)

func dotted() (Conn, *url.URL) { return nil, nil }
