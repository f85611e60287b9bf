package httpadapter

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/internal/wire/access"
)

// MetricsPath is where the handler of [New] has the metrics, if it has them, and
// where "drover serve" does.
const MetricsPath = "/metrics"

// MetricsOptions configure [Metrics].
type MetricsOptions struct {
	// Token lets in who sends it in the header Authorization, as "Bearer TOKEN".
	// Default none: everybody is let in, so the handler belongs on a listener that
	// only those reach who may read the metrics.
	Token string
}

// Metrics returns a handler that answers GET and HEAD, on whatever path it is
// mounted, with all metrics of d in the text format of Prometheus. They hold no
// ids, URLs, hosts or names that callers choose, but do tell how much the service
// is used and by which routes and models. Without the right token the answer is
// 401, whatever else is asked for.
//
//	http.Handle("/metrics", httpadapter.Metrics(d, httpadapter.MetricsOptions{Token: token}))
func Metrics(d *drover.Drover, o MetricsOptions) http.Handler {
	return metricsHandler(d.Metrics(), o)
}

func metricsHandler(all drover.Metrics, o MetricsOptions) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if o.Token != "" && !bears(r, o.Token) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="metrics"`)
			http.Error(w, "the token of the metrics is required: Authorization: Bearer TOKEN", http.StatusUnauthorized)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the method must be GET or HEAD", http.StatusMethodNotAllowed)
			return
		}
		var text bytes.Buffer
		if err := all.WriteText(r.Context(), &text); err != nil { // a buffer takes everything
			http.Error(w, "the metrics cannot be written", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", telemetry.TextType)
		w.Write(text.Bytes())
	})
}

// bears reports whether a request has the token, in the same time whatever it has.
func bears(r *http.Request, token string) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	want, got := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(strings.TrimSpace(given)))
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// withMetrics answers at MetricsPath, where the options say so.
func withMetrics(all drover.Metrics, token string, h http.Handler) http.Handler {
	if token == "" || all == nil {
		return h
	}
	metrics := metricsHandler(all, MetricsOptions{Token: token})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != MetricsPath {
			h.ServeHTTP(w, r)
			return
		}
		access.From(r.Context()).Route = MetricsPath
		metrics.ServeHTTP(w, r)
	})
}
