package goclients

import (
	"os"
	"testing"
	"time"
)

// place returns the connect URL of a session and the site to visit.
func place(t *testing.T) (connect, site string) {
	t.Helper()
	connect, site = os.Getenv("CONNECT_URL"), os.Getenv("SITE")
	if connect == "" || site == "" {
		t.Skip("SKIPPED, THIS TEST IS RUN BY TestGoClients: there is no session")
	}
	return connect, site
}

// limit bounds each test.
const limit = 2 * time.Minute
