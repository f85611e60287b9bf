package drovertest

import (
	"net/http/httptest"
	"testing"

	"github.com/drover-go/drover/internal/demosite"
)

// Site is a small shop on a loopback address, that of "drover demo":
//
//	/                  three products, with links to their pages
//	/products/{slug}   a product, such as post-rack: name, price, stock, weight
//	/login             a form with Email, Password and the button Sign in
//	/catalogue         all products, with filters that scripts work; for members
type Site struct {
	// URL is its address, without a slash at its end.
	URL string
	// Email and Password are what the login takes.
	Email, Password string
}

// NewSite serves the shop until the test ends.
func NewSite(t testing.TB) Site {
	server := httptest.NewServer(demosite.New())
	t.Cleanup(server.Close)
	return Site{URL: server.URL, Email: demosite.Email, Password: demosite.Password}
}
