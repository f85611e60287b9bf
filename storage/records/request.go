package records

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/records/internal/rawjson"
)

// parsed is a request that was read: what has a column, and the rest of the
// object.
type parsed struct {
	Request
	rest content
}

// bytes is what it takes.
func (p parsed) bytes() int64 { return p.rest.size + int64(len(p.UniqueKey)+len(p.URL)) }

// maxColumn is the longest url and unique key, in bytes.
const maxColumn = inRow / 2

// parse reads a request. Its rest may have a blob, also beside an error. fill, if
// there is one, may fill in what a request lacks.
func (s *service) parse(ctx context.Context, raw []byte, fill func(*parsed) error) (p parsed, err error) {
	if int64(len(raw)) > s.conf.Limits.MaxRequest {
		return p, errtypes.OfType(errtypes.TypeRequestTooLarge, "the request is %d bytes long; the limit is %d bytes", len(raw), s.conf.Limits.MaxRequest)
	}
	if !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\ufffd"))
	}
	object, err := rawjson.Compact(nil, raw)
	if err != nil || object[0] != '{' {
		return p, invalidRequest("a request must be a JSON object")
	}
	p.Method = "GET"
	rest, err := p.take(rawjson.Members(nil, object))
	if err == nil && fill != nil && (p.URL == "" || p.UniqueKey == "") {
		err = fill(&p)
	}
	if err == nil {
		err = p.identify()
	}
	if err != nil {
		return p, err
	}
	p.rest, err = s.keepContent(ctx, bytes.NewReader(rawjson.AppendObject(nil, rest)), s.conf.Limits.MaxRequest, func() error {
		return errtypes.OfType(errtypes.TypeRequestTooLarge, "the request is too large; the limit is %d bytes", s.conf.Limits.MaxRequest)
	})
	return p, err
}

func invalidRequest(format string, args ...any) error {
	return errtypes.OfType(errtypes.TypeInvalidRequest, format, args...)
}

// take reads the members that have a column and returns those that are kept as
// they are.
func (p *parsed) take(members []rawjson.Member) (rest []rawjson.Member, err error) {
	for _, m := range members {
		switch m.Name {
		case "id":
			continue
		case "url":
			err = takeText(m, &p.URL)
		case "uniqueKey":
			err = takeText(m, &p.UniqueKey)
		default:
			err = p.look(m)
			rest = append(rest, m)
		}
		if err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// identify makes the id. The unique key is the url unless it is given.
func (p *parsed) identify() error {
	if p.URL == "" {
		return invalidRequest("url is required")
	}
	p.UniqueKey = cmp.Or(p.UniqueKey, p.URL)
	p.ID = RequestID(p.UniqueKey)
	return nil
}

// look reads a member that is kept, too.
func (p *parsed) look(m rawjson.Member) (err error) {
	if string(m.Value) == "null" {
		return nil
	}
	switch m.Name {
	case "method":
		return takeText(m, &p.Method)
	case "retryCount":
		if p.RetryCount, err = strconv.ParseInt(string(m.Value), 10, 64); err != nil || p.RetryCount < 0 {
			return invalidRequest("retryCount must be a whole number from 0 up")
		}
	case "handledAt":
		var text string
		if err := takeText(m, &text); err != nil {
			return err
		}
		if p.HandledAt, err = time.Parse(time.RFC3339, text); err != nil || p.HandledAt.UnixMilli() <= 0 {
			return invalidRequest("handledAt must be a time in ISO 8601")
		}
	}
	return nil
}

func takeText(m rawjson.Member, to *string) error {
	if m.Value[0] != '"' || len(m.Value) > maxColumn {
		return invalidRequest("%s must be a string of at most %d bytes", m.Name, maxColumn)
	}
	*to = rawjson.Text(m.Value)
	return nil
}

// whole is the object of a request: what has a column, and the rest.
func whole(r Request, rest []byte) json.RawMessage {
	object := rawjson.AppendObject(nil, []rawjson.Member{
		{Name: "id", Value: rawjson.AppendText(nil, r.ID)},
		{Name: "uniqueKey", Value: rawjson.AppendText(nil, r.UniqueKey)},
		{Name: "url", Value: rawjson.AppendText(nil, r.URL)},
	})
	if len(rest) <= len("{}") {
		return object
	}
	return append(append(object[:len(object)-1], ','), rest[1:]...)
}

// complete reads the rest of a request that lies in a blob. One that was deleted
// meanwhile is not found.
func (s *service) completeRequest(ctx context.Context, p parsed) (Request, error) {
	rest := p.rest.data
	if p.rest.blob != "" {
		r, err := s.open(ctx, p.rest)
		if errtypes.Is(err, errtypes.NotFound) {
			err = noRequest(p.ID)
		}
		if err != nil {
			return Request{}, err
		}
		data, err := io.ReadAll(r)
		if err = errors.Join(err, r.Close()); err != nil {
			return Request{}, err
		}
		rest = data
	}
	p.JSON = whole(p.Request, rest)
	return p.Request, nil
}

func noRequest(id string) error {
	return errtypes.OfType(errtypes.TypeRecordNotFound, "Request %.100q was not found", id)
}
