package functions

import (
	"sync"

	"github.com/drover-go/drover/internal/jobs"
)

// perProject is the places that each project has for its invocations in this
// process. Those that find none wait, and hold up no other project.
type perProject struct {
	most int

	mu    sync.Mutex
	taken map[string]int // by project
}

// admission returns what the queue asks for places; nil where there is no limit.
func (l Limits) admission() jobs.Admission {
	if l.PerProject == 0 {
		return nil
	}
	return &perProject{most: l.PerProject, taken: map[string]int{}}
}

// weight is that of the job of an invocation: it takes one place.
const weight = 1

// Reserve takes a place.
func (p *perProject) Reserve(j jobs.Job) (release func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[j.ProjectID] >= p.most {
		return nil, jobs.ErrNoRoom
	}
	p.taken[j.ProjectID]++
	return func() { p.release(j.ProjectID) }, nil
}

func (p *perProject) release(projectID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[projectID]--; p.taken[projectID] == 0 {
		delete(p.taken, projectID)
	}
}

// Await keeps no place: they are this service's alone, and the queue asks again
// when one of its jobs gives one back.
func (p *perProject) Await(jobs.Job, func()) (leave func()) { return func() {} }
