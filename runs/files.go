package runs

import (
	"context"
	"fmt"
	"io"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/runs/tools"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/projects"
)

// maxFiles is how many files a run may be given.
const maxFiles = 100

// checkFiles refuses files that the caller's project does not have.
func (s *service) checkFiles(ctx context.Context, ids []string) error {
	if len(ids) > maxFiles {
		return errtypes.Field("files", "must be at most %d", maxFiles)
	}
	for i, id := range ids {
		field := fmt.Sprintf("files[%d]", i)
		if s.conf.Downloads == nil {
			return errtypes.Field(field, "cannot be had: this service keeps no files")
		}
		if _, err := s.conf.Downloads.Get(ctx, id); errtypes.Is(err, errtypes.NotFound) {
			return errtypes.Field(field, "names no download: there is no %q", shorten.Bytes(id, 100))
		} else if err != nil {
			return err
		}
	}
	return nil
}

// files are those that the run was given and that its session has downloaded. One
// that has been deleted since is left out.
func (x *activeRun) files(ctx context.Context, sessionID string) (all []tools.File, err error) {
	if x.conf.Downloads == nil {
		return nil, nil
	}
	ctx = projects.With(ctx, projects.Project{ID: x.projectID})
	for _, id := range x.options.Files {
		d, err := x.conf.Downloads.Get(ctx, id)
		if errtypes.Is(err, errtypes.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, x.file(d, d.SessionID == sessionID))
	}
	given := map[string]bool{}
	for _, id := range x.options.Files {
		given[id] = true
	}
	own, err := x.conf.Downloads.All(ctx, sessionID)
	for _, d := range own {
		if !given[d.ID] {
			all = append(all, x.file(d, true))
		}
	}
	return all, err
}

func (x *activeRun) file(d downloads.Download, downloaded bool) tools.File {
	return tools.File{
		Name: d.Filename, Type: d.MIMEType, Size: d.Size, Downloaded: downloaded,
		Open: func(ctx context.Context) (io.ReadCloser, error) {
			content, _, err := x.conf.Downloads.Open(projects.With(ctx, projects.Project{ID: x.projectID}), d.ID)
			return content, err
		},
	}
}
