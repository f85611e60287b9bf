package jobs

import "sync"

// Hold has this process take no job until release is called, which may be called more than
// once. It is for who makes many jobs at once and has to be done with that in time: workers
// would keep the database from it. Jobs that run go on.
func (q *Queue) Hold() (release func()) {
	q.holds.Add(1)
	return sync.OnceFunc(func() {
		if q.holds.Add(-1) > 0 {
			return
		}
		for name := range q.kinds {
			q.Wake(name)
		}
	})
}
