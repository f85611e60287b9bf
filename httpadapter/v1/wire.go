package v1

import (
	"time"

	"github.com/drover-go/drover/internal/wire/api"
)

// The largest pages (browser-automation-v1, limits).
const (
	maxPage         = 1000
	maxMessagePage  = 100
	maxDownloadPage = 100
	// maxOffset is the largest whole number that every reader of JSON keeps.
	maxOffset = 1<<53 - 1
)

// wireTime is ISO 8601 in UTC with milliseconds.
type wireTime = api.Time

// optionalTime is absent where the time is zero.
func optionalTime(t time.Time) *wireTime { return api.OptionalTime(t) }

// listJSON is a page of a list with a cursor.
type listJSON[T any] struct {
	Data       []T     `json:"data"`
	Limit      int     `json:"limit"`
	NextCursor *string `json:"nextCursor"`
}

func pageOut[T, J any](all []T, out func(T) J, limit int, next string) listJSON[J] {
	return listJSON[J]{Data: each(all, out), Limit: limit, NextCursor: orNull(next)}
}

// each is never nil: an empty list is [] on the wire.
func each[T, J any](all []T, out func(T) J) []J { return api.Each(all, out) }

func orNull(s string) *string { return api.OrNull(s) }
