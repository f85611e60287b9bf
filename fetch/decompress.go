package fetch

import (
	"bufio"
	"compress/flate"
	"compress/zlib"
	"errors"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/drover-go/drover/errtypes"
)

// maxCodings is how many codings may lie on top of each other: a chain without
// end would be work without end.
const maxCodings = 3

// maxWindow is what a zstd frame may ask for (RFC 8878, 3.1.1.1.2).
const maxWindow = 8 << 20

// decompress undoes the codings, the last one first. No layer yields more than
// limit bytes, whatever the layers above would make of them.
func decompress(r io.Reader, codings []string, limit int64) (io.Reader, error) {
	if len(codings) > maxCodings {
		return nil, errtypes.New(errtypes.BadGateway, "the page has more than %d content-encodings", maxCodings)
	}
	r = &limitReader{r: r, left: limit, limit: limit}
	for i := len(codings) - 1; i >= 0; i-- {
		open, ok := decoders[codings[i]]
		if !ok {
			return nil, errUndecodable(codings[i], errors.New("unknown coding"))
		}
		r = &limitReader{r: &decoder{coding: codings[i], src: bufio.NewReader(r), open: open}, left: limit, limit: limit}
	}
	return r, nil
}

var decoders = map[string]func(*bufio.Reader) (io.Reader, error){
	"gzip":    openGzip,
	"x-gzip":  openGzip,
	"deflate": openDeflate,
	"br":      func(r *bufio.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	"zstd":    openZstd,
}

// decoder opens its coding at the first read, so that an empty body stays one,
// and turns what the coding finds wrong into an error for the caller.
type decoder struct {
	coding string
	src    *bufio.Reader
	open   func(*bufio.Reader) (io.Reader, error)
	r      io.Reader
}

func (d *decoder) Read(p []byte) (int, error) {
	if d.r == nil {
		if _, err := d.src.Peek(1); err != nil {
			return 0, err
		}
		r, err := d.open(d.src)
		if err != nil {
			return 0, d.explain(err)
		}
		d.r = r
	}
	n, err := d.r.Read(p)
	return n, d.explain(err)
}

// explain leaves errors that have a kind: they are of the layer below.
func (d *decoder) explain(err error) error {
	var known *errtypes.Error
	if err == nil || err == io.EOF || errors.As(err, &known) {
		return err
	}
	return errUndecodable(d.coding, err)
}

// openDeflate takes both readings of the word: zlib, which RFC 9110 means, and
// the bare format that some servers send.
func openDeflate(r *bufio.Reader) (io.Reader, error) {
	head, err := r.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(r)
	}
	return flate.NewReader(r), nil
}

// openZstd decodes in the caller's goroutine: there is nothing to close.
func openZstd(r *bufio.Reader) (io.Reader, error) {
	return zstd.NewReader(r,
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
}

func openGzip(r *bufio.Reader) (io.Reader, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &gzipMembers{src: r, z: z}, nil
}

// gzipMembers reads the members of a gzip file one after the other. What is
// behind the last and no member is ignored, as browsers do.
type gzipMembers struct {
	src *bufio.Reader
	z   *gzip.Reader
}

func (g *gzipMembers) Read(p []byte) (int, error) {
	for {
		n, err := g.z.Read(p)
		if n > 0 && err == io.EOF {
			return n, nil
		}
		if n > 0 || err != io.EOF {
			return n, err
		}
		if head, err := g.src.Peek(2); err != nil || head[0] != 0x1f || head[1] != 0x8b {
			return 0, io.EOF
		}
		if err := g.z.Reset(g.src); err != nil {
			return 0, err
		}
		g.z.Multistream(false)
	}
}

// limitReader fails once more than limit bytes have come.
type limitReader struct {
	r           io.Reader
	left, limit int64
}

func (l *limitReader) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, errTooLarge(l.limit)
	}
	return n, err
}
