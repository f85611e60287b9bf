package errtypes

// Type is the machine-readable name of a failure on the v2 interface. The
// constants of this package are the closed list of its specification.
type Type string

type typeInfo struct {
	status   int
	internal bool
}

// Known reports whether t is in the specification's list.
func (t Type) Known() bool {
	_, ok := types[t]
	return ok
}

// HTTPStatus returns the status that t is sent with; 500 for an unknown type.
func (t Type) HTTPStatus() int {
	if info, ok := types[t]; ok {
		return info.status
	}
	return Internal.HTTPStatus()
}

// HostedOnly reports whether t is internal to the hosted service that the
// specification describes. Such a type is never sent.
func (t Type) HostedOnly() bool { return types[t].internal }

// sendable drops a type that must not reach a caller.
func (t Type) sendable() Type {
	if !t.Known() || t.HostedOnly() {
		return ""
	}
	return t
}

// kind is the inverse of Kind.HTTPStatus.
func (t Type) kind() Kind {
	status := t.HTTPStatus()
	for k := Internal; k < kindCount; k++ {
		if kinds[k].status == status {
			return k
		}
	}
	return Internal
}
