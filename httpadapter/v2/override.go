package v2

import (
	"net/http"
	"strings"
)

// overridden lets a GET be another method, which its parameter "method" names:
// what can only be called as a link can do everything so (wire-v2, 4). What is no
// method of a route stays a GET, whose route answers.
func overridden(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && strings.Contains(r.URL.RawQuery, "method=") {
			switch method := strings.ToUpper(r.URL.Query().Get("method")); method {
			case http.MethodPost, http.MethodPut, http.MethodDelete:
				other := *r
				other.Method = method
				r = &other
			}
		}
		h.ServeHTTP(w, r)
	})
}
