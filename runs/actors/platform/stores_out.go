package platform

import (
	"encoding/json"
	"time"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/records"
)

// storeJSON is what the stores of all kinds say of themselves.
type storeJSON struct {
	ID            string   `json:"id"`
	Name          *string  `json:"name"`
	UserID        string   `json:"userId"`
	Username      string   `json:"username"`
	Title         string   `json:"title,omitempty"`
	CreatedAt     api.Time `json:"createdAt"`
	ModifiedAt    api.Time `json:"modifiedAt"`
	AccessedAt    api.Time `json:"accessedAt"`
	ActID         *string  `json:"actId"`
	ActRunID      *string  `json:"actRunId"`
	GeneralAccess string   `json:"generalAccess"`
	ConsoleURL    string   `json:"consoleUrl"`
}

type datasetJSON struct {
	storeJSON
	ItemCount      int64           `json:"itemCount"`
	CleanItemCount int64           `json:"cleanItemCount"`
	Fields         []string        `json:"fields,omitzero"` // nil in lists
	Schema         json.RawMessage `json:"schema"`
	ItemsPublicURL string          `json:"itemsPublicUrl"`
	SigningKey     string          `json:"urlSigningSecretKey"`
	Stats          statsJSON       `json:"stats"`
}

type keyValueStoreJSON struct {
	storeJSON
	Schema        json.RawMessage `json:"schema"`
	KeysPublicURL string          `json:"keysPublicUrl"`
	SigningKey    string          `json:"urlSigningSecretKey"`
	Stats         statsJSON       `json:"stats"`
}

type queueJSON struct {
	storeJSON
	Total              int64     `json:"totalRequestCount"`
	Handled            int64     `json:"handledRequestCount"`
	Pending            int64     `json:"pendingRequestCount"`
	HadMultipleClients bool      `json:"hadMultipleClients"`
	ExpireAt           *api.Time `json:"expireAt,omitempty"`
	Stats              statsJSON `json:"stats"`
}

// statsJSON has what a kind of stores counts: a pointer is nil where it does not.
type statsJSON struct {
	Reads         int64  `json:"readCount"`
	Writes        int64  `json:"writeCount"`
	Deletes       int64  `json:"deleteCount"`
	Lists         *int64 `json:"listCount,omitempty"`
	HeadReads     *int64 `json:"headItemReadCount,omitempty"`
	StorageBytes  int64  `json:"storageBytes"`
	InflatedBytes *int64 `json:"inflatedBytes,omitempty"`
	S3Bytes       *int64 `json:"s3StorageBytes,omitempty"`
}

// publicFor is how long the signed URLs of a store are good.
const publicFor = 14 * 24 * time.Hour

// storeOut is a store of any kind.
func (x *exchange) storeOut(s records.Store) any {
	of := storeJSON{
		ID: s.ID, Name: api.OrNull(s.Name), UserID: s.UserID, Username: s.Username, Title: s.Title,
		CreatedAt: api.Time(s.CreatedAt), ModifiedAt: api.Time(s.ModifiedAt), AccessedAt: api.Time(s.AccessedAt),
		ActID: api.OrNull(s.ActID), ActRunID: api.OrNull(s.ActRunID), GeneralAccess: s.GeneralAccess, ConsoleURL: x.storeURL(s),
	}
	stats := statsJSON{Reads: s.Stats.Reads, Writes: s.Stats.Writes, Deletes: s.Stats.Deletes, StorageBytes: s.Stats.Bytes}
	switch s.Kind {
	case records.Dataset:
		stats.Lists, stats.InflatedBytes, stats.S3Bytes = &s.Stats.Lists, &s.Stats.Bytes, &s.Stats.Bytes
		return datasetJSON{of, s.Items, s.CleanItems, s.Fields, s.Schema, x.signedURL(s, "/items"), s.SigningSecret, stats}
	case records.KeyValueStore:
		stats.Lists, stats.S3Bytes = &s.Stats.Lists, &s.Stats.Bytes
		return keyValueStoreJSON{of, s.Schema, x.signedURL(s, "/keys"), s.SigningSecret, stats}
	}
	stats.HeadReads = &s.Stats.Lists
	return queueJSON{of, s.Items, s.Handled, s.Pending, s.HadMultipleClients, api.OptionalTime(s.ExpiresAt), stats}
}

func (x *exchange) storeURL(s records.Store) string {
	return x.Base() + storePaths[s.Kind] + "/" + s.ID
}

// signedURL is where anybody may list the keys or items of a store.
func (x *exchange) signedURL(s records.Store, below string) string {
	return x.storeURL(s) + below + "?signature=" + records.SignStore(s.SigningSecret, s.ID, x.opts.Clock.Now().Add(publicFor))
}
