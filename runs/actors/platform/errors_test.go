package platform

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
)

// Every kind of error has a type that may be sent, and what has a type has the
// status of that.
func TestEveryKindOfErrorHasAnAnswer(t *testing.T) {
	t.Parallel()
	for _, kind := range errtypes.Kinds() {
		err := errtypes.New(kind, "words for the caller").WithCause(errors.New("secret words"))
		status, body := fail(t, err)
		want, message := kind.HTTPStatus(), "words for the caller"
		switch kind {
		case errtypes.Internal:
			message = "internal error"
		case errtypes.Canceled: // by the service, while the caller waits
			want, message = 503, "the service is closing"
		}
		is := body.Error.Type
		if status != want || body.Error.Message != message || !is.Known() || is.HostedOnly() {
			t.Errorf("%s: %d %+v", kind, status, body)
		}
	}
	if status, body := fail(t, errtypes.New(errtypes.Invalid, "x").WithType(errtypes.TypeUnknownBuildTag)); status != 403 || body.Error.Type != errtypes.TypeUnknownBuildTag {
		t.Errorf("%d %+v", status, body)
	}
	// A fault of the service that has a type is meant for callers.
	if status, body := fail(t, errtypes.OfType(errtypes.TypeNextRuntimeComputationFailed, "never due")); status != 500 || body.Error != (errorJSON{Type: errtypes.TypeNextRuntimeComputationFailed, Message: "never due"}) {
		t.Errorf("%d %+v", status, body)
	}
}

// fail has a route fail.
func fail(t *testing.T, err error) (status int, body errorBody) {
	t.Helper()
	h := api.New(api.Interface{Error: errorOut, AnswerTimeout: time.Minute, Logger: slog.New(slog.DiscardHandler)}, []api.Route{
		{Method: "GET", Pattern: "/v2/x", Public: true, Call: func(*api.Exchange) (answer, error) { return answer{}, err }},
	})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/x", nil))
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return w.Code, body
}
