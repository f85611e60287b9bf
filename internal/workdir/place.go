package workdir

import "slices"

// Reserve is what Place leaves free of a file system in memory, in bytes:
// browsers share their memory there, and crash when it is full.
const Reserve = 512 << 20

// Place picks where a directory that will hold need bytes is made: in memory
// where there is room for it, so that nothing of it reaches a disk but by
// swapping, else in temp. The room is not set aside.
func Place(temp string, need int64) string {
	return placeIn(memoryPlaces(), temp, need)
}

func placeIn(places []string, temp string, need int64) string {
	for _, dir := range places {
		if roomInMemory(dir) >= uint64(max(need, 0))+Reserve {
			return dir
		}
	}
	return temp
}

// Places lists where Place may make directories, for who sweeps them.
func Places(temp string) []string {
	places := []string{temp}
	for _, dir := range memoryPlaces() {
		if roomInMemory(dir) > 0 && !slices.Contains(places, dir) {
			places = append(places, dir)
		}
	}
	return places
}
