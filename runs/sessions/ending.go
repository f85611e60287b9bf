package sessions

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
)

// ending is how a session ends. It travels as the cause of a context.
type ending struct {
	status Status
	cause  *Cause
}

func (e *ending) Error() string {
	if e.cause == nil {
		return "sessions: the session ended as " + string(e.status)
	}
	return "sessions: " + e.cause.Message
}

var (
	released       = &ending{status: Completed}
	closedInside   = &ending{status: Completed} // by Drover itself, which drove it
	shutDown       = &ending{Failed, &Cause{CauseShutdown, "the service was closed while the session was open"}}
	hostLost       = &ending{Failed, &Cause{CauseHostLost, "the process that had the session died"}}
	endLost        = &ending{Failed, &Cause{CauseInternal, "the end of the session could not be written"}}
	neverConnected = &ending{TimedOut, &Cause{CauseNeverConnected, "nobody connected in time"}}
)

func expired(after fmt.Stringer) *ending {
	return &ending{TimedOut, &Cause{CauseTimedOut, fmt.Sprintf("the session lasted as long as it may, %v", after)}}
}

const maxCauseMessage = 500

// died is the end of a session whose browser is gone.
func died(err error) *ending {
	message := "the browser of the session died"
	if pub := errtypes.Public(err); pub.Kind != errtypes.Internal && pub.Kind != errtypes.Canceled {
		message = pub.Message
	}
	if utf8.RuneCountInString(message) > maxCauseMessage {
		message = string([]rune(message)[:maxCauseMessage-1]) + "…"
	}
	return &ending{Failed, &Cause{CauseBrowser, message}}
}

// endingOf is the ending that a context's cause carries.
func endingOf(cause error) ending {
	var e *ending
	if errors.As(cause, &e) {
		return *e
	}
	return *released
}

// LimitError is why a project may not open a session now.
type LimitError struct {
	// Limit is how many it may have open at a time.
	Limit int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("sessions: the project has %d sessions open", e.Limit)
}
