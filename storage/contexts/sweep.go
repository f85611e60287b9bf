package contexts

import "context"

// dropBlobs deletes versions, even for a caller that has gone. One that stays is
// swept, so that it is no error of the caller's.
func (s *service) dropBlobs(ctx context.Context, blobs ...string) {
	for _, key := range blobs {
		if key == "" {
			continue
		}
		if err := s.conf.Blobs.Delete(context.WithoutCancel(ctx), key); err != nil {
			s.conf.Logger.Warn("contexts: a version cannot be deleted; it is tried again later", "error", err)
		}
	}
}
