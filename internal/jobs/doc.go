// Package jobs is the durable queue that the domains put their work in.
//
// The row of the domain is the state machine; a job only says "somebody must
// look at that row". [Queue.Enqueue] writes it in the transaction that changes
// the row, and a worker is woken after the commit. A worker looks at the row,
// does what is to be done and returns; then the job is gone. It may be called
// more than once for the same job, after an error or a crash: what it does has
// to be idempotent, or it has to end the row honestly when [Job].LeaseLost
// says that an earlier attempt died. [Queue.Done] removes the job in the
// worker's own transaction, for effects that must happen once. Package execution
// does all of this for a row that is started, executed and ended.
//
// Several processes may work on one file. A job that runs is leased to one
// instance of storage. The lease ends at once when the instance dies, which
// its lock file tells, and otherwise when the counter that the instance beats
// stands still for Options.LeaseTime on the clock of whoever looks; no wall
// time is compared between processes. What an instance does after it lost a
// lease no longer touches the job.
//
// Projects take turns. Each job gets a turn when it becomes ready: one after
// the last turn of its project, but not before the turn that is served next.
// So the single job of one project stands at the front of the ten thousand of
// another, and a claim reads the front of an index.
//
// A job may have a time ([Insert].At) and a weight, for a resource that several
// jobs share: see [Admission] and [Memory].
//
// What the queue needs of the database can be had of a distributed one:
// conditional updates, a unique key, foreign keys that are set to NULL.
package jobs
