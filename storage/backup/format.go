package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/masterkey"
	"github.com/drover-go/drover/internal/retention"
)

// format is the version that is written, and the newest that is read.
const format = 1

// The names of the files that are no blobs.
const (
	headName     = "drover-backup.json"
	databaseName = "drover.db"
	endName      = "drover-backup-end.json"
	keyName      = masterkey.FileName
	hashRecord   = "DROVER.sha256"
)

const (
	maxHead = 1 << 20  // of headName, endName
	maxKey  = 64 << 10 // of the file with the master keys
)

// head is the first file.
type head struct {
	Format    int          `json:"format"`
	CreatedAt time.Time    `json:"created_at"`
	Schema    int          `json:"schema"`
	Database  int64        `json:"database_bytes"`
	Files     int64        `json:"files"`
	Bytes     int64        `json:"file_bytes"`
	MasterKey bool         `json:"master_key"`
	Stores    []headOfOnes `json:"stores"`
}

// headOfOnes says where rows name the blobs of a folder. It stands in the backup
// because it belongs to the schema of its database, which may be older than ours.
type headOfOnes struct {
	Folder  string            `json:"folder"`
	Columns retention.Columns `json:"columns"`
}

func (h head) info() Info {
	return Info{CreatedAt: h.CreatedAt, Schema: h.Schema, DatabaseBytes: h.Database, Files: h.Files, FileBytes: h.Bytes, MasterKey: h.MasterKey}
}

// validate trusts nothing, and folders only that are among those that are known.
func (h head) validate(folders []string) error {
	if h.Schema < 1 || h.Database < 1 || h.Files < 0 || h.Bytes < 0 || h.Database > 1<<60 || h.Bytes > 1<<60 {
		return damaged("%s has a number that cannot be", headName)
	}
	for i, s := range h.Stores {
		if !slices.Contains(folders, s.Folder) {
			return damaged("%s names a folder that Drover does not have", headName)
		}
		if i > 0 && s.Folder <= h.Stores[i-1].Folder {
			return damaged("%s has folders out of their order", headName)
		}
		if len(s.Columns) == 0 || s.Columns.Validate() != nil {
			return damaged("%s names columns that cannot be", headName)
		}
	}
	return nil
}

// tail is the last file.
type tail struct {
	Files  int64  `json:"files"` // without itself
	Digest string `json:"digest"`
}

// digest is over all files, in their order.
type digest struct {
	hash  hash.Hash
	files int64
}

func newDigest() *digest { return &digest{hash: sha256.New()} }

func (d *digest) add(name string, size int64, sum [32]byte) {
	fmt.Fprintf(d.hash, "%s\n%d\n%x\n", name, size, sum)
	d.files++
}

func (d *digest) tail() tail { return tail{d.files, hex.EncodeToString(d.hash.Sum(nil))} }

// damaged is the error of what is no whole backup. Nothing of it is kept.
func damaged(text string, args ...any) *errtypes.Error {
	return errtypes.New(errtypes.Invalid, "the backup is damaged: "+text, args...)
}

var keyForm = regexp.MustCompile(`^[a-z2-7]{26}$`)

// blobName is the name of a blob, as its store has it in the data directory.
func blobName(folder, key string) string { return folder + "/" + key[:2] + "/" + key }

// asBlob is the inverse of blobName.
func asBlob(name string) (b named, ok bool) {
	part := strings.Split(name, "/")
	if len(part) != 3 || !keyForm.MatchString(part[2]) || part[1] != part[2][:2] {
		return named{}, false
	}
	return named{part[0], part[2]}, true
}
