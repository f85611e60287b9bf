package platform

import (
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
)

// errorBody is the body of every error (job-platform-v2, error object).
type errorBody struct {
	Error errorJSON `json:"error"`
}

type errorJSON struct {
	Type    errtypes.Type `json:"type"`
	Message string        `json:"message"`
	Data    any           `json:"data,omitempty"`
}

// typeOfKind is the type of an error that has none of its own.
var typeOfKind = map[errtypes.Kind]errtypes.Type{
	errtypes.Internal:             errtypes.TypeInternalServerError,
	errtypes.Invalid:              errtypes.TypeInvalidRequest,
	errtypes.Unauthenticated:      errtypes.TypeInvalidToken,
	errtypes.PaymentRequired:      errtypes.TypeNotEnoughUsageToRunPaidActor,
	errtypes.Forbidden:            errtypes.TypeInsufficientPermissions,
	errtypes.NotFound:             errtypes.TypeRecordNotFound,
	errtypes.MethodNotAllowed:     errtypes.TypeMethodNotAllowed,
	errtypes.NotAcceptable:        errtypes.TypeInvalidHeader,
	errtypes.RequestTimeout:       errtypes.TypeOperationTimedOut,
	errtypes.Conflict:             errtypes.TypeNameNotUnique,
	errtypes.Gone:                 errtypes.TypeRecordNotFound,
	errtypes.PreconditionFailed:   errtypes.TypeInvalidHeader,
	errtypes.TooLarge:             errtypes.TypeRequestTooLarge,
	errtypes.UnsupportedMediaType: errtypes.TypeUnsupportedContentEncoding,
	errtypes.RateLimited:          errtypes.TypeRateLimitExceeded,
	errtypes.BadGateway:           errtypes.TypeInternalServerError,
	errtypes.Unavailable:          errtypes.TypeInternalServerError,
	errtypes.GatewayTimeout:       errtypes.TypeOperationTimedOut,
	errtypes.Canceled:             errtypes.TypeOperationCanceled,
}

// errorOut is a failure on this interface. Its status is that of its type where it
// has one (DECISIONS 9), else that of its kind.
func errorOut(x *api.Exchange, f api.Failure) answer {
	status, is := f.Status, f.Public.Type
	if is != "" {
		status = is.HTTPStatus()
	} else {
		is = typeOfKind[f.Public.Kind]
	}
	if f.Public.Kind == errtypes.Unauthenticated {
		x.W.Header().Set("WWW-Authenticate", `Bearer realm="drover"`)
	}
	return answer{Status: status, Body: errorBody{errorJSON{is, f.Public.Message, detailsOf(f.Err)}}}
}
