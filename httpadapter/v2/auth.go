package v2

import (
	"context"
	"net/http"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
)

// authenticate finds the caller's project by the token, and the run if it is that of one.
func (h *handler) authenticate(x *api.Exchange) (context.Context, error) {
	token, err := tokenOf(x.R)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(token, actors.TokenPrefix) {
		return h.Actors.AsRun(x.R.Context(), token)
	}
	ctx, err := h.Projects.As(x.R.Context(), token)
	if errtypes.Is(err, errtypes.Unauthenticated) {
		err = errtypes.New(errtypes.Unauthenticated, "the token is not valid").WithType(errtypes.TypeInvalidToken).WithCause(err)
	}
	return ctx, err
}

// tokenOf returns what the header Authorization says, or else the parameter
// token. One that stands twice is refused: a proxy in front might have checked the
// other one (DECISIONS 22).
func tokenOf(r *http.Request) (string, error) {
	if headers := r.Header.Values("Authorization"); len(headers) > 0 {
		return bearer(headers)
	}
	switch tokens := r.URL.Query()["token"]; {
	case len(tokens) > 1:
		return "", errtypes.New(errtypes.Unauthenticated, "token stands %d times in the query", len(tokens)).WithType(errtypes.TypeInvalidToken)
	case len(tokens) == 1 && tokens[0] != "":
		return tokens[0], nil
	}
	return "", errtypes.New(errtypes.Unauthenticated, "a token is required, in the header Authorization after the word Bearer, or in the parameter token").
		WithType(errtypes.TypeTokenNotProvided)
}

func bearer(headers []string) (string, error) {
	scheme, token, _ := strings.Cut(strings.TrimSpace(headers[0]), " ")
	token = strings.TrimSpace(token)
	if len(headers) > 1 || !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", errtypes.New(errtypes.Unauthenticated, "the header Authorization must stand once and say Bearer and a token").WithType(errtypes.TypeInvalidToken)
	}
	return token, nil
}
