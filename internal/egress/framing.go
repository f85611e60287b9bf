package egress

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
)

// framing says where the body of a message ends (RFC 9112, 6.3).
type framing struct {
	kind   bodyKind
	length int64 // of bodyLength
}

type bodyKind int

const (
	bodyNone bodyKind = iota
	bodyLength
	bodyChunked
	bodyToEnd // of the connection
)

var (
	errTwoLengths   = errors.New("where its body ends is said in two ways")
	errBadLength    = errors.New("its Content-Length is no length")
	errBadTransfer  = errors.New("its Transfer-Encoding is not chunked")
	errOldTransfer  = errors.New("HTTP/1.0 has no Transfer-Encoding")
	errNoEnd        = errors.New("it ends before its body does")
	errNotRequested = errors.New("it changes to a protocol that nobody asked for")
)

// requestFraming returns where a request's body ends.
func requestFraming(proto string, fields []field) (framing, error) {
	f, lengths, err := saidFraming(proto, fields)
	if err == nil && lengths > 1 {
		err = errTwoLengths
	}
	return f, err
}

// responseFraming returns where the body of a response to the method ends.
func responseFraming(proto, method string, status int, fields []field) (framing, error) {
	f, lengths, err := saidFraming(proto, fields)
	switch {
	case err != nil:
		return f, err
	case status < 200, status == http.StatusNoContent, status == http.StatusNotModified, method == http.MethodHead:
		return framing{}, nil
	case f.kind == bodyNone && lengths == 0:
		return framing{kind: bodyToEnd}, nil
	}
	return f, nil
}

// saidFraming reads Content-Length and Transfer-Encoding. Lengths that are the
// same count as one, and how many there are is returned too.
func saidFraming(proto string, fields []field) (f framing, lengths int, err error) {
	transfers := 0
	for _, field := range fields {
		switch field.lower {
		case "transfer-encoding":
			if !strings.EqualFold(field.value, "chunked") {
				return f, 0, errBadTransfer
			}
			transfers++
		case "content-length":
			n, err := strconv.ParseUint(field.value, 10, 62)
			switch {
			case err != nil:
				return f, 0, errBadLength
			case lengths > 0 && int64(n) != f.length:
				return f, 0, errTwoLengths
			}
			f, lengths = framing{bodyLength, int64(n)}, lengths+1
		}
	}
	switch {
	case transfers > 1 || transfers == 1 && lengths > 0:
		return f, 0, errTwoLengths
	case transfers == 1 && proto != "HTTP/1.1":
		return f, 0, errOldTransfer
	case transfers == 1:
		return framing{kind: bodyChunked}, 0, nil
	case f.length == 0:
		f.kind = bodyNone
	}
	return f, lengths, nil
}
