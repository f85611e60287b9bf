package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/backup"
)

type backupCmd struct {
	Create backupCreateCmd `cmd:"" default:"withargs" help:"Write all data into one file, while a service works with them. What \"drover backup FILE\" does."`
	Verify backupVerifyCmd `cmd:"" help:"Check a backup as a restore does, and restore nothing. It takes room for the database in the temporary directory."`
}

// backupPassphraseVariable is no flag: others see those.
const backupPassphraseVariable = "DROVER_BACKUP_PASSPHRASE"

// passphrase are the flags of commands that read or write backups.
type passphrase struct {
	PassphraseFile string `help:"File with the passphrase of an encrypted backup, at least 12 characters; the variable DROVER_BACKUP_PASSPHRASE is another way. Default none: the backup is not encrypted." placeholder:"FILE"`
}

// text takes the variable out of the environment, so that no child gets it.
func (p passphrase) text() (string, error) {
	given := os.Getenv(backupPassphraseVariable)
	os.Unsetenv(backupPassphraseVariable)
	if p.PassphraseFile == "" {
		return given, nil
	}
	text, err := os.ReadFile(p.PassphraseFile)
	if err != nil {
		return "", errtypes.Field("--passphrase-file", "cannot be read: %v", err)
	}
	text = bytes.TrimRight(text, "\r\n")
	if len(text) == 0 {
		return "", errtypes.Field("--passphrase-file", "is empty")
	}
	return string(text), nil
}

type backupCreateCmd struct {
	File string `arg:"" help:"File to write, readable by its owner only; - for standard output."`
	store
	passphrase
	WithMasterKey bool  `help:"Put the master key of the data directory into the backup, too, which has to be encrypted. Default: keep a copy of the key elsewhere."`
	MaxRate       int64 `help:"Bytes of the data to read a second at most, so that the service has the rest of the disk. Default no limit." placeholder:"BYTES"`
	Replace       bool  `help:"Replace a file that is there, once the new one is whole."`
}

// Run writes the whole file or none.
func (cmd backupCreateCmd) Run(ctx context.Context, c console) error {
	o := backup.Options{MasterKey: cmd.WithMasterKey, MaxRate: cmd.MaxRate}
	err := cmd.mustExist()
	if err == nil {
		err = cmd.mayWrite(c)
	}
	if err == nil {
		o.Passphrase, err = cmd.text()
	}
	if err != nil {
		return err
	}
	d, err := openTool(ctx, cmd.Data, network{}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer d.Close()
	p := newProgress(c.stderr)
	defer p.done()
	o.Progress = shownProgress(p)
	var info backup.Info
	write := func(w io.Writer) (err error) {
		info, err = d.Backup(ctx, w, o)
		return err
	}
	if cmd.File == "-" {
		err = write(c.stdout)
	} else {
		err = writePrivate(cmd.File, write)
	}
	p.clear()
	if err == nil {
		fmt.Fprintf(c.stderr, "Wrote %s: %s; %s packed.\n%s\n", cmd.File, contentText(info), bytesText(info.Bytes), cmd.keyText(info))
	}
	return err
}

// mayWrite refuses to overwrite a file, and to send a terminal what it cannot show.
func (cmd backupCreateCmd) mayWrite(c console) error {
	if cmd.File == "-" {
		if isTerminal(c.stdout) {
			return errtypes.Field("FILE", "must name a file: a backup is nothing for a terminal")
		}
		return nil
	}
	if _, err := os.Lstat(cmd.File); err == nil && !cmd.Replace {
		return errtypes.New(errtypes.Conflict, "%s is there; --replace replaces it, once the new backup is whole", cmd.File)
	}
	return nil
}

func (cmd backupCreateCmd) keyText(info backup.Info) string {
	if info.MasterKey {
		return "The master key is in it."
	}
	file := filepath.Join(cmd.Data, "master.key")
	if _, err := os.Stat(file); err != nil {
		file = masterKeyVariable
	}
	return "The master key is not in it: keep that of " + file + " elsewhere, without it contexts, certificates and secrets cannot be read."
}

// contentText says for people what is in a backup.
func contentText(info backup.Info) string {
	return fmt.Sprintf("the data of %s, database %s, %d files with %s", info.CreatedAt.Format(time.RFC3339), bytesText(info.DatabaseBytes), info.Files, bytesText(info.FileBytes))
}

// shownProgress shows how far it has come, some ten times a second.
func shownProgress(p *progress) func(backup.Progress) {
	var last time.Time
	return func(at backup.Progress) {
		if now := time.Now(); now.Sub(last) >= 100*time.Millisecond {
			last = now
			text := at.Stage
			if at.Total > 0 {
				text += ", " + bytesText(at.Done) + " of " + bytesText(at.Total)
			}
			p.say(text)
		}
	}
}

// backupFile are the arguments of commands that read a backup.
type backupFile struct {
	File string `arg:"" help:"Backup, as \"drover backup\" writes it; - for standard input."`
	passphrase
	MaxBytes int64 `help:"Bytes that the backup may come to when it is unpacked. Default what the disk has room for." placeholder:"BYTES"`
}

// open returns the backup, and how it is read.
func (f backupFile) open(c console, p *progress) (io.ReadCloser, backup.ReadOptions, error) {
	o := backup.ReadOptions{MaxBytes: f.MaxBytes, Progress: shownProgress(p)}
	var err error
	if o.Passphrase, err = f.text(); err != nil {
		return nil, o, err
	}
	if f.File == "-" {
		return io.NopCloser(os.Stdin), o, nil
	}
	file, err := os.Open(f.File)
	if err != nil {
		return nil, o, errtypes.New(errtypes.NotFound, "the backup cannot be read: %v", err)
	}
	return file, o, nil
}

type backupVerifyCmd struct{ backupFile }

// Run reads it from its beginning to its end.
func (cmd backupVerifyCmd) Run(ctx context.Context, c console) error { return cmd.verify(ctx, c) }

func (f backupFile) verify(ctx context.Context, c console) error {
	p := newProgress(c.stderr)
	defer p.done()
	from, o, err := f.open(c, p)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := drover.VerifyBackup(ctx, from, o)
	p.clear()
	if err == nil {
		fmt.Fprintf(c.stdout, "%s is whole: %s.\n", f.File, contentText(info))
	}
	return err
}

type restoreCmd struct {
	backupFile
	Data       string `default:"drover-data" help:"Data directory to make; it must not be there, or be empty. Default ${default}." placeholder:"DIR"`
	Force      bool   `help:"Move a data directory that is not empty aside, once all is restored, to a name beside it that is told. Nothing of it is deleted."`
	VerifyOnly bool   `help:"Check the backup and restore nothing, as \"drover backup verify\" does."`
}

// Run makes the whole directory or none.
func (cmd restoreCmd) Run(ctx context.Context, c console) error {
	if cmd.VerifyOnly {
		return cmd.verify(ctx, c)
	}
	p := newProgress(c.stderr)
	defer p.done()
	from, o, err := cmd.open(c, p)
	if err != nil {
		return err
	}
	defer from.Close()
	o.Replace = cmd.Force
	r, err := drover.Restore(ctx, from, cmd.Data, o)
	p.clear()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "Restored %s: %s.\n", cmd.Data, contentText(r.Info))
	if r.Before != "" {
		fmt.Fprintf(c.stdout, "What was there is in %s now.\n", r.Before)
	}
	if !r.MasterKey {
		fmt.Fprintf(c.stdout, "The master key was not in the backup: put it to %s, or into %s.\n", filepath.Join(cmd.Data, "master.key"), masterKeyVariable)
	}
	return nil
}
