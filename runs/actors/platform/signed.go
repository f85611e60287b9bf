package platform

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
)

// enter lets a caller in.
type enter func(h *handler, x *api.Exchange) (context.Context, error)

// signed lets in who has a token, and who has a signature of the store in the path
// (DECISIONS 4): of the record there, or of its keys or items. A signature counts
// where there is one, and a token that is no good is refused all the same.
func signed(kind records.Kind, ofRecord bool) enter {
	return func(h *handler, x *api.Exchange) (context.Context, error) {
		ctx, err := h.opts.Authenticate(x)
		signature := x.R.URL.Query().Get("signature")
		if signature == "" || err != nil && errtypes.Public(err).Type != errtypes.TypeTokenNotProvided {
			return ctx, err
		}
		key := ""
		if ofRecord {
			key = x.Path("recordKey")
		}
		return h.Records.Signed(actors.WithoutCaller(x.R.Context()), kind, x.Path("storeId"), key, signature)
	}
}
