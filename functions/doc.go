// Package functions keeps functions: named code that is invoked with parameters
// and has a browser session of its own.
//
// A function has versions. A host registers Go functions when it opens Drover
// ([Func]); each change of what is registered makes a version. An invocation
// is of one version, and its row is the state machine: PENDING, RUNNING, then
// COMPLETED or FAILED with a cause. Its logs and its result are kept.
//
//	hello := functions.Func("hello", func(ctx context.Context, inv *functions.Invocation) (any, error) {
//		who, err := functions.Params[struct{ Name string }](inv)
//		if err != nil {
//			return nil, err
//		}
//		page, err := inv.Browser(ctx) // opened now
//		…
//	}, functions.FuncOptions{})
//	d, err := drover.Open(ctx, drover.Options{Functions: []functions.Definition{hello}})
//	inv, err := d.Functions.Invoke(ctx, "hello", functions.Invoke{Params: []byte(`{"Name":"Ada"}`)})
//	inv, err = d.Functions.Wait(ctx, inv.ID)
package functions
