package certificates

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

type service struct {
	conf Config
}

// New returns the service.
func New(c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "certificates.New")
	if err := c.validate(); err != nil {
		return nil, err
	}
	return &service{c.withDefaults()}, nil
}

func (s *service) MaxFile() int64 { return s.conf.Limits.MaxFile }

func (s *service) Upload(ctx context.Context, u Upload) (_ Certificate, err error) {
	defer errtypes.Wrap(&err, "certificates.Upload")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Certificate{}, err
	}
	file, err := s.readFile(u.Content)
	if err != nil {
		return Certificate{}, err
	}
	c, err := read(ctx, file, u, s.conf.Limits.MaxCertificates)
	if err != nil {
		return Certificate{}, err
	}
	r, err := s.build(&c)
	if err != nil {
		return Certificate{}, err
	}
	r.ProjectID = project.ID
	return r.Certificate, s.insert(ctx, r, c.certs)
}

func (s *service) readFile(content io.Reader) ([]byte, error) {
	most := s.conf.Limits.MaxFile
	file, err := io.ReadAll(io.LimitReader(content, most+1))
	if err == nil && int64(len(file)) > most {
		err = errtypes.New(errtypes.TooLarge, "the file is larger than %d bytes", most)
	}
	return file, err
}

// build makes the row of what was read, and puts that in order.
func (s *service) build(c *content) (r row, err error) {
	now := s.conf.Clock.Now()
	r.ID = ids.New()
	if r.Kind, err = c.check(now); err != nil {
		return r, err
	}
	first := c.certs[0]
	sum := sha256.Sum256(first.Raw)
	r.Subject, r.Fingerprint, r.Count = strings.ToValidUTF8(first.Subject.String(), "\uFFFD"), hex.EncodeToString(sum[:]), len(c.certs)
	r.NotBefore, r.NotAfter = first.NotBefore, first.NotAfter
	for _, cert := range c.certs {
		if cert.NotBefore.After(r.NotBefore) {
			r.NotBefore = cert.NotBefore
		}
		if cert.NotAfter.Before(r.NotAfter) {
			r.NotAfter = cert.NotAfter
		}
	}
	r.CreatedAt = storage.Time(storage.Millis(now))
	r.UpdatedAt = r.CreatedAt
	if c.key != nil {
		r.privateKey, err = s.sealKey(r.ID, c.key)
	}
	return r, err
}

func (s *service) insert(ctx context.Context, r row, certs []*x509.Certificate) error {
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		fits, err := insertRow(ctx, tx, r, s.conf.Limits.PerProject)
		if err == nil && !fits {
			err = errtypes.New(errtypes.Conflict, "the project has %d certificates, as many as it may have: delete some", s.conf.Limits.PerProject)
		}
		for i, cert := range certs {
			if err == nil {
				err = insertPart(ctx, tx, r.ID, i, cert.Raw)
			}
		}
		return err
	})
}

func (s *service) Get(ctx context.Context, id string) (_ Certificate, err error) {
	defer errtypes.Wrap(&err, "certificates.Get(%q)", id)
	r, err := projects.Read(ctx, s.conf.Callers, s.conf.DB, func(ctx context.Context, q storage.Querier, projectID string) (row, error) {
		return findRow(ctx, q, projectID, id)
	})
	return r.Certificate, orNotFound(err, id)
}

func orNotFound(err error, id string) error {
	if errors.Is(err, storage.ErrNoRow) {
		return errtypes.New(errtypes.NotFound, "there is no certificate %q", id)
	}
	return err
}

func (s *service) List(ctx context.Context) (_ []Certificate, err error) {
	defer errtypes.Wrap(&err, "certificates.List")
	return projects.Read(ctx, s.conf.Callers, s.conf.DB, listRows)
}

func (s *service) Delete(ctx context.Context, id string) (err error) {
	defer errtypes.Wrap(&err, "certificates.Delete(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return err
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		ok, err := deleteRow(ctx, tx, project.ID, id)
		if err == nil && !ok {
			err = orNotFound(storage.ErrNoRow, id)
		}
		return err
	})
}

// at names one of the ids of a field.
func at(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }
