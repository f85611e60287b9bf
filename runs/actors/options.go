package actors

import (
	"cmp"
	"math"
	"math/bits"
	"regexp"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// RunOptions say how an Actor is run. What is nil or zero is left to others: those
// of a run go before those of its task, and these before those of its Actor.
type RunOptions struct {
	// Build is a tag or a number, such as "latest" or "0.1.5". Default latest.
	Build string
	// Timeout is how long a run may take, to the second; 0 is for ever. Default 300
	// seconds.
	Timeout *time.Duration
	// Memory is what a run may take, in MB: a power of two from 128 to 32768. Default
	// 1024.
	Memory int
	// MaxItems is how many items the Actor is asked to make at the most. Default no
	// limit. It is handed to the Actor: nothing is cut.
	MaxItems int64
	// MaxTotalCharge is how much the Actor may charge, in US dollars. Default no
	// limit.
	MaxTotalCharge float64
	// RestartOnError has a run that fails started again. Default false.
	RestartOnError *bool
	// Permissions are what the run may do, whatever its Actor says. Default what that says.
	Permissions Permissions `json:",omitempty"`
}

const (
	minMemory  = 128
	maxMemory  = 32768
	maxTimeout = 999_999_999 * time.Second
)

// Or fills in from others what o leaves to them.
func (o RunOptions) Or(others RunOptions) RunOptions {
	o.Build = cmp.Or(o.Build, others.Build)
	o.Timeout = cmp.Or(o.Timeout, others.Timeout)
	o.Memory = cmp.Or(o.Memory, others.Memory)
	o.MaxItems = cmp.Or(o.MaxItems, others.MaxItems)
	o.Permissions = cmp.Or(o.Permissions, others.Permissions)
	o.MaxTotalCharge = cmp.Or(o.MaxTotalCharge, others.MaxTotalCharge)
	o.RestartOnError = cmp.Or(o.RestartOnError, others.RestartOnError)
	return o
}

// numberForm is that of build numbers (wire-v2, 3).
var numberForm = regexp.MustCompile(`^([0-9]|[1-9][0-9])\.([0-9]|[1-9][0-9])\.[1-9][0-9]{0,4}$`)

// checkTag refuses what can be no tag of a build: at most 30 letters, digits and
// dashes, dots and underscores among them.
var tagForm = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,28}[a-zA-Z0-9])?$`)

// Validate returns an Invalid error that names the field at fault.
func (o RunOptions) Validate() error {
	switch {
	case o.Build != "" && !numberForm.MatchString(o.Build) && !tagForm.MatchString(o.Build):
		return errtypes.Field("build", "must be a tag of at most 30 letters, digits, dots, dashes and underscores, or a number such as 0.1.5")
	case o.Timeout != nil && (*o.Timeout < 0 || *o.Timeout > maxTimeout || *o.Timeout%time.Second != 0):
		return errtypes.Field("timeout", "must be whole seconds, from 0 to %d", int64(maxTimeout/time.Second))
	case o.Memory != 0 && (o.Memory < minMemory || o.Memory > maxMemory || bits.OnesCount(uint(o.Memory)) != 1):
		return errtypes.Field("memory", "must be a power of two from %d to %d, such as 512, 1024, 2048 or 4096", minMemory, maxMemory)
	case o.MaxItems < 0:
		return errtypes.Field("maxItems", "must be greater than zero").WithType(errtypes.TypeMaxItemsMustBeGreaterThanZero)
	case o.Permissions != "" && o.Permissions != LimitedPermissions && o.Permissions != FullPermissions:
		return errtypes.Field("forcePermissionLevel", "must be %s or %s", LimitedPermissions, FullPermissions)
	case o.MaxTotalCharge < 0 || math.IsNaN(o.MaxTotalCharge) || math.IsInf(o.MaxTotalCharge, 0):
		return errtypes.Field("maxTotalChargeUsd", "must be greater than zero").WithType(errtypes.TypeMaxTotalChargeUsdMustBeGreaterThanZero)
	}
	return nil
}
