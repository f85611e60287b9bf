package drover

import (
	"reflect"

	"github.com/drover-go/drover/errtypes"
)

// belowZero are the options in which a number below 0 has a meaning; each says
// which.
var belowZero = map[string]bool{
	"Runs.ModelRetries": true, "RunRetention": true, "SessionRetention": true, "DownloadRetention": true,
	"Chromium.Spares": true, "Chromium.Timeouts.Idle": true, "Chromium.Timeouts.Queue": true,
	"Chromium.Timeouts.Hung": true, "Contexts.MaxTotal": true,
}

// validate refuses limits below 0. They would otherwise refuse everything, or
// nothing, long after the host has started.
func (o Options) validate() error {
	for name, limits := range map[string]any{
		"Agents": o.Agents, "Fetch": o.Fetch, "Runs": o.Runs, "Sessions": o.Sessions, "Downloads": o.Downloads, "Contexts": o.Contexts, "Certificates": o.Certificates, "Extensions": o.Extensions,
		"Chromium": o.Chromium, "CloseTime": o.CloseTime,
		"ProxyRest": o.ProxyRest, "ProxyAttempts": o.ProxyAttempts, "ProxyResolveTimeout": o.ProxyResolveTimeout,
	} {
		if err := notBelowZero(name, reflect.ValueOf(limits)); err != nil {
			return err
		}
	}
	return nil
}

// notBelowZero walks structs, of our own only: what else an option holds is no
// limit.
func notBelowZero(name string, v reflect.Value) error {
	switch {
	case v.CanInt() && v.Int() < 0 && !belowZero[name]:
		return errtypes.Field("Options."+name, "must not be below 0; it is %v", v)
	case v.Kind() != reflect.Struct:
		return nil
	}
	for field, value := range v.Fields() {
		if !field.IsExported() {
			continue
		}
		if err := notBelowZero(name+"."+field.Name, value); err != nil {
			return err
		}
	}
	return nil
}
