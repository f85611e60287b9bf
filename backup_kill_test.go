package drover_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage/backup"
)

// backupEnv makes the test binary a process that backs up the data directory that
// it names, or restores to it, and stands still at a stage, to be killed there.
const backupEnv = "DROVER_TEST_BACKUP"

func backupMain(dir string) error {
	file, stage := os.Getenv(backupEnv+"_FILE"), os.Getenv(backupEnv+"_STAGE")
	halt := func(p backup.Progress) {
		if p.Stage == stage {
			fmt.Println("here")
			select {}
		}
	}
	ctx := context.Background()
	if os.Getenv(backupEnv+"_RESTORE") != "" {
		from, err := os.Open(file)
		if err != nil {
			return err
		}
		_, err = drover.Restore(ctx, from, dir, backup.ReadOptions{Progress: halt, Replace: true})
		return err
	}
	d, err := drover.Open(ctx, backupOptions(dir))
	if err != nil {
		return err
	}
	to, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = d.Backup(ctx, to, backup.Options{Progress: halt})
	return err
}

// killedAt runs such a process until it is at the stage.
func killedAt(t *testing.T, dir, file, stage, restore string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), backupEnv+"="+dir, backupEnv+"_FILE="+file, backupEnv+"_STAGE="+stage, backupEnv+"_RESTORE="+restore)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	kill(t, cmd)
	if line != "here\n" {
		t.Fatalf("%q %v", line, err)
	}
}

func TestABackupThatIsKilled(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it kills processes")
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "archive")
	d := openIdle(t, dir)
	kept := content{}
	for i := range 3 {
		kept.download(t, d, fmt.Sprint("kept ", i))
	}
	for _, stage := range []string{"copy database", "read database", "files"} {
		killedAt(t, dir, file, stage, "")
		from, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := drover.VerifyBackup(t.Context(), from, backup.ReadOptions{}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%s: what it has written is a backup: %v", stage, err)
		}
		from.Close()
		if left, _ := filepath.Glob(filepath.Join(dir, backup.TempPrefix+"*")); len(left) != 1 {
			t.Errorf("%s: the copy of the killed one: %v", stage, left)
		}
		again := openForBackup(t, dir)
		if left, _ := filepath.Glob(filepath.Join(dir, backup.TempPrefix+"*")); len(left) != 0 {
			t.Errorf("%s: the next start leaves %v", stage, left)
		}
		kept.check(t, again)
		backedUp(t, again, backup.Options{}) // nothing is held
		again.Close()
	}
}

func TestARestoreThatIsKilled(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it kills processes")
	d := openIdle(t, t.TempDir())
	kept := content{}
	for i := range 3 {
		kept.download(t, d, fmt.Sprint("kept ", i))
	}
	archive, _ := backedUp(t, d, backup.Options{})
	file := filepath.Join(t.TempDir(), "archive")
	if err := os.WriteFile(file, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, stage := range []string{"database", "check database", "files", "write to disk"} {
		for before, make := range map[string]func(dir string){
			"none":  func(string) {},
			"empty": func(dir string) { os.Mkdir(dir, 0o700) },
			"other": func(dir string) {
				o := openIdle(t, dir)
				content{}.download(t, o, "other")
				o.Close()
			},
		} {
			parent := t.TempDir()
			dir := filepath.Join(parent, "data")
			make(dir)
			killedAt(t, dir, file, stage, "yes")
			if _, err := os.Stat(filepath.Join(dir, "drover.db")); (err == nil) != (before == "other") {
				t.Errorf("%s, %s: there is a database: %v", stage, before, err)
			}
			if before == "other" && len(blobFiles(t, dir)) != 1 {
				t.Errorf("%s: the other data have lost a file", stage)
			}
			r, err := drover.Restore(t.Context(), bytes.NewReader(archive), dir, backup.ReadOptions{Replace: true})
			if err != nil || (r.Before != "") != (before == "other") {
				t.Fatalf("%s, %s: %+v, %v", stage, before, r, err)
			}
			kept.check(t, openIdle(t, dir))
			if left := leftOf(t, parent, dir); len(left) > 0 {
				t.Errorf("%s, %s: left: %v", stage, before, left)
			}
		}
	}
}

// leftOf are the names of what restores have left beside and in a directory.
func leftOf(t *testing.T, dirs ...string) (left []string) {
	t.Helper()
	for _, dir := range dirs {
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.Contains(f.Name(), "restoring") {
				left = append(left, f.Name())
			}
		}
	}
	return left
}
