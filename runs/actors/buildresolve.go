package actors

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// latest is the tag of builds that nothing else is said of.
const latest = "latest"

// What makes a number of wire-v2 of the three parts of a build's number.
const (
	majorWeight = 10_000_000
	minorWeight = 100_000
)

// intOf is a build's number as one that orders builds.
func intOf(n number, count int) int { return n.major*majorWeight + n.minor*minorWeight + count }

// numberText is such as 0.1.5.
func numberText(n int) string {
	return number{n / majorWeight, n % majorWeight / minorWeight}.String() + "." + strconv.Itoa(n%minorWeight)
}

func parseBuildNumber(text string) (n int, ok bool) {
	if !numberForm.MatchString(text) {
		return 0, false
	}
	var at number
	var count int
	_, err := fmt.Sscanf(text, "%d.%d.%d", &at.major, &at.minor, &count)
	return intOf(at, count), err == nil
}

// builtRef is a build of an Actor that a run can run.
type builtRef struct{ id, number string }

// resolveBuilt finds the build of an Actor that has the tag or the number. Error kind
// Forbidden with the types unknown-build-tag, build-not-found and invalid-build.
func resolveBuilt(ctx context.Context, q storage.Querier, actorID, wanted string) (builtRef, error) {
	var r buildRow
	var err error
	n, byNumber := parseBuildNumber(wanted)
	if byNumber {
		r, err = findNumbered(ctx, q, actorID, n)
	} else {
		r, err = findTagged(ctx, q, actorID, wanted)
	}
	switch {
	case errors.Is(err, storage.ErrNoRow) && byNumber:
		return builtRef{}, errtypes.OfType(errtypes.TypeBuildNotFound, "Build with number %q was not found.", wanted)
	case errors.Is(err, storage.ErrNoRow):
		return builtRef{}, errtypes.OfType(errtypes.TypeUnknownBuildTag, "Build with tag %q was not found. Has the Actor been built already?", wanted)
	case err != nil:
		return builtRef{}, err
	case r.status != "SUCCEEDED":
		return builtRef{}, errtypes.OfType(errtypes.TypeInvalidBuild, "Build %s cannot be run: it has not succeeded.", numberText(r.number))
	}
	return builtRef{r.id, numberText(r.number)}, nil
}
