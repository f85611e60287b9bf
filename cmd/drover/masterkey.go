package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/drover-go/drover"
)

// Variables that give the master keys, in place of the file in the data
// directory. They are no flags: others see those.
const (
	masterKeyVariable        = "DROVER_MASTER_KEY"
	formerMasterKeysVariable = "DROVER_FORMER_MASTER_KEYS" // with commas between
)

// variables are what they hold. They are read once, and taken out of the
// environment, so that no child of this process gets them.
var variables = sync.OnceValues(func() (key string, former []string) {
	key = os.Getenv(masterKeyVariable)
	for one := range strings.SplitSeq(os.Getenv(formerMasterKeysVariable), ",") {
		if one = strings.TrimSpace(one); one != "" {
			former = append(former, one)
		}
	}
	os.Unsetenv(masterKeyVariable)
	os.Unsetenv(formerMasterKeysVariable)
	return key, former
})

// giveMasterKeys hands on those of the environment.
func giveMasterKeys(o *drover.Options) { o.MasterKey, o.FormerMasterKeys = variables() }

type keysRotateMasterCmd struct{ store }

// Run changes the key of data that no server has open.
func (cmd keysRotateMasterCmd) Run(ctx context.Context, c console) error {
	if err := cmd.mustExist(); err != nil {
		return err
	}
	o := drover.Options{Data: cmd.Data}
	giveMasterKeys(&o)
	if o.MasterKey != "" {
		return fmt.Errorf("the master key is that of %s: start once with a new one there, and with the present one in %s", masterKeyVariable, formerMasterKeysVariable)
	}
	n, err := drover.RotateMasterKey(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "The master key is a new one. Sealed again: %d keys. Backups of the data need the key of their time.\n", n)
	return nil
}
