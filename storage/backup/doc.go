// Package backup writes the data of a Drover, while it works, into one stream,
// and makes a data directory of it again.
//
// The stream is a tar file, compressed with Zstandard, so that the usual tools
// read it, too. With a passphrase it lies in an encrypted stream of package internal/seal/stream.
// Its files, in this order:
//
//	drover-backup.json      the format's version, and what follows (Info)
//	drover.db               the database as it was at one moment
//	master.key              if that was asked for
//	downloads/ab/abc…       every blob that a row of the database names, by folder
//	                        and key, in the order of their bytes
//	drover-backup-end.json  how many files there are, and a digest of their names,
//	                        sizes and hashes
//
// Each file has its SHA-256 in the PAX record DROVER.sha256. Without its last file
// a backup is not whole, and nothing may follow it.
//
// What a host can make again is not in it: programs that were built (their sources
// are), locks, instances.
package backup
