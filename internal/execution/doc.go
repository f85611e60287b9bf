// Package execution is the life of a row that a job looks at: a run, a build, an
// invocation, a delivery. It starts the row, executes it under a deadline and
// ends it, hears of stops, and brings to an honest end what a dead process left.
//
// The row is the state machine, as the domain shows it, of three phases:
//
//	Waiting  nobody executes it. Start takes it on, Stop ends it at once
//	Started  a worker executes it, or did until its process died
//	Ended    nothing changes it any more
//
// Each step is one statement of the domain, a conditional UPDATE that says what
// it takes for granted and returns the row; [storage.ErrNoRow] says that
// somebody else was faster. The rules are here:
//
//   - The end of a row and of its job are one transaction. Whatever else has to
//     happen with the end, exactly once, the domain does in its End statement's
//     function: a webhook enqueued, a log sealed. While the database is busy the
//     end is written again.
//   - A stop is accepted in each phase before the end, and the statement of End
//     sees to it that it wins over every other one (DECISIONS 13). What waits
//     ends in the transaction of the stop, what runs is told, in whatever
//     process, and may have a grace time.
//   - What was begun by a process that died ends with [ErrHostDied]: its work is
//     not repeated (DECISIONS 15, 26). A domain whose work may be repeated has a
//     Requeue statement, which makes the row wait again; that statement also
//     says which of its rows (DECISIONS 29).
//   - A worker that lost its lease writes nothing any more.
//   - Who waits for the row is told after each commit.
//
// # A new domain
//
// Three statements, a view of the row and the work itself (example_test.go has
// all of it, compiled):
//
//	func start(ctx context.Context, q storage.Querier, id string, now time.Time) (parcel, error) {
//		return scan(q.QueryRow(ctx, `UPDATE parcels SET status = 'RUNNING', started_at = $2
//			WHERE id = $1 AND status = 'PENDING' AND stop = 0 RETURNING `+columns, id, storage.Millis(now)))
//	}
//
//	func end(ctx context.Context, tx *storage.Tx, id string, e ending, now time.Time) (parcel, error) {
//		return scan(tx.QueryRow(ctx, `UPDATE parcels SET status = CASE stop WHEN 0 THEN $2 ELSE 'STOPPED' END, …
//			WHERE id = $1 AND status IN ('PENDING', 'RUNNING') RETURNING `+columns, id, e.status, …))
//	}
//
//	x := execution.New(execution.Config[parcel, ending]{
//		Name: "parcel", DB: db, Jobs: queue, Notify: hub,
//		Find: find, Start: start, End: end, RequestStop: requestStop, State: parcel.state,
//		Execute: deliver, Broken: broken,
//	})
//	queue.Register("parcel", x.Work, jobs.KindOptions{Exhausted: x.Exhausted})
//
// Its service inserts the row and calls [Executor.Enqueue] in one transaction,
// [Executor.Stop] in another, and waits with [Executor.Follow]. Values that must
// not be stored, such as passwords, it keeps in [Values].
package execution
