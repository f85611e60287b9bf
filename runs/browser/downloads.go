package browser

import "io"

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
