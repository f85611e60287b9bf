package httpadapter

import "net/http"

// withHeaders sets what every answer says to browsers: it is data, to be kept
// nowhere and shown in no frame. There are no CORS headers, so that no page of
// another origin reads an answer.
func withHeaders(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("X-Content-Type-Options", "nosniff")
		h.ServeHTTP(w, r)
	})
}
