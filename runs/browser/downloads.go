package browser

import (
	"context"
	"io"
	"time"
)

// Download is a file that a page has downloaded.
type Download struct {
	// URL is where it came from, without credentials; of data: URLs only the
	// beginning. Untrusted.
	URL string
	// Filename is the one that the page suggests: hostile.
	Filename string
	// MIMEType is what the server said; empty where that is not known.
	MIMEType string
	// Size in bytes.
	Size int64
	// Content is read during the call only.
	Content io.Reader
}

// Started is a download that a page has begun.
type Started struct {
	// Filename is the one that the page suggests, cut and without invisible
	// characters: untrusted.
	Filename string
	// Refused says why the file is not kept; empty if it is, once complete.
	Refused string
}

// File is a file to upload.
type File struct {
	// Name is what the page is told; only what follows the last slash of it.
	Name string
	// Content is read to its end during the call.
	Content io.Reader
}

// Files are the files of a session. It is part of [Session], whose rules and errors
// hold for it.
type Files interface {
	// Fetched returns the downloads of the session's own context, in the order in
	// which they began, 1000 at most: the oldest are forgotten. It waits, at most for
	// so long, until none is under way.
	Fetched(ctx context.Context, wait time.Duration) ([]Fetched, error)
	// Offered returns the files that Offer has been called with, by name, sorted; it
	// may be called at any time.
	Offered() []Offered
}

// DownloadState is how far a download has come.
type DownloadState string

// The states.
const (
	// UnderWay: more of it is to come, or it is being taken.
	UnderWay DownloadState = "under way"
	// Complete: Options.Downloads has taken it.
	Complete DownloadState = "complete"
	// Refused: it is not kept, for the reason in Fetched.Why.
	Refused DownloadState = "refused"
	// Failed: it was broken off, or could not be kept.
	Failed DownloadState = "failed"
)

// Fetched is a download of a session.
type Fetched struct {
	// Filename is the one that the page suggests, cut and without invisible
	// characters: untrusted.
	Filename string
	State    DownloadState
	// Received is how many bytes have come.
	Received int64
	// Why is the reason of one that is refused.
	Why string
}

// Offered is a file that may be uploaded.
type Offered struct {
	// Name is without a path; Path is where it is on this machine.
	Name, Path string
}
