package child

import "io/fs"

func space(info fs.FileInfo) (bytes int64, file any, several bool) { return info.Size(), nil, false }
