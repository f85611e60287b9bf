package functions

import (
	"sync"

	"github.com/drover-go/drover/internal/jobs"
)

// places are those that invocations have in this process: so many for each project,
// and so many for each published function. Those that find none wait, and hold up no
// other project and no other function.
type places struct {
	perProject, perFunction int // 0 is no limit

	mu       sync.Mutex
	projects map[string]int // places that are taken
	shares   map[string]int // by published function
}

// admission returns what the queue asks for places; nil where there is no limit.
func (c Config) admission() jobs.Admission {
	p := &places{perProject: c.Limits.PerProject, projects: map[string]int{}, shares: map[string]int{}}
	if c.Programs != nil {
		p.perFunction = c.Programs.conf.PerFunction
	}
	if p.perProject == 0 && p.perFunction == 0 {
		return nil
	}
	return p
}

// weight is that of the job of an invocation: it takes one place.
const weight = 1

// shareOf is the share of the job of an invocation: Go functions have kinds of jobs
// of their own, with a limit each.
func shareOf(r row) string {
	if r.program == "" {
		return ""
	}
	return r.FunctionID
}

// Reserve takes a place.
func (p *places) Reserve(j jobs.Job) (release func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.perProject > 0 && p.projects[j.ProjectID] >= p.perProject || p.full(j.Share) {
		return nil, jobs.ErrNoRoom
	}
	p.projects[j.ProjectID]++
	p.shares[j.Share]++
	return func() { p.release(j) }, nil
}

// full reports whether a share has no place left. The lock is held.
func (p *places) full(share string) bool {
	return share != "" && p.perFunction > 0 && p.shares[share] >= p.perFunction
}

func (p *places) release(j jobs.Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	giveBack(p.projects, j.ProjectID)
	giveBack(p.shares, j.Share)
}

func giveBack(taken map[string]int, key string) {
	if taken[key]--; taken[key] == 0 {
		delete(taken, key)
	}
}

// Full implements [jobs.Sharing].
func (p *places) Full() (all []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for share := range p.shares {
		if p.full(share) {
			all = append(all, share)
		}
	}
	return all
}

// Await keeps no place: they are this service's alone, and the queue asks again
// when one of its jobs gives one back.
func (p *places) Await(jobs.Job, func()) (leave func()) { return func() {} }
