package httpadapter

// Paths returns where the handler of [New] is, as patterns of http.ServeMux:
// what is below them is the handler's, unknown paths included, and all else is
// the host's. A host that gives away neither / nor a prefix mounts it with
//
//	for _, p := range httpadapter.Paths() {
//		mux.Handle(p, h)
//	}
func Paths() []string { return []string{"/v1/", "/v2/", "/healthz", "/json/version", "/json/version/"} }
