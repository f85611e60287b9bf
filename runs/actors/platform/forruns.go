package platform

import (
	"context"
	"net/http"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/access"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
)

// ForRuns returns the handler that answers runs in processes of their own, for
// actors.Config: their endpoint has found out who calls. Who shows nothing may bring a
// signature.
func ForRuns(s Services, o Options) http.Handler {
	o.Authenticate = aRun
	h := New(s, o)
	log := o.withDefaults().Logger
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		record := &access.Record{}
		h.ServeHTTP(w, r.WithContext(access.With(r.Context(), record)))
		if record.Err != nil && errtypes.Public(record.Err).Kind == errtypes.Internal {
			run, _ := actors.CallerFrom(r.Context())
			log.ErrorContext(r.Context(), "actors: a request of a run has failed", "run", run.RunID, "route", record.Route, "error", record.Err)
		}
	})
}

// aRun lets in runs.
func aRun(x *api.Exchange) (context.Context, error) {
	if _, ok := actors.CallerFrom(x.R.Context()); !ok {
		return nil, errtypes.OfType(errtypes.TypeTokenNotProvided, "a token is required, in the header Authorization after the word Bearer, or in the parameter token")
	}
	return x.R.Context(), nil
}
