package platform

import (
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
)

const oneVersion = oneActor + "/versions/{versionNumber}"

// allJSON is a list that has no pages.
type allJSON[T any] struct {
	Total int `json:"total"`
	Items []T `json:"items"`
}

func allOf[A, B any](all []A, out func(A) B) allJSON[B] {
	return allJSON[B]{len(all), api.Each(all, out)}
}

type versionJSON struct {
	Number         string            `json:"versionNumber"`
	SourceType     actors.SourceType `json:"sourceType"`
	BuildTag       string            `json:"buildTag"`
	EnvVarsAtBuild bool              `json:"applyEnvVarsToBuild"`
	EnvVars        []envVarJSON      `json:"envVars"`
	SourceFiles    []sourceFileJSON  `json:"sourceFiles,omitzero"`
	TarballURL     string            `json:"tarballUrl,omitempty"`
}

// sourceFileJSON is a file, or a folder and nothing else.
type sourceFileJSON struct {
	Name    string  `json:"name"`
	Folder  bool    `json:"folder,omitempty"`
	Format  string  `json:"format,omitempty"`
	Content *string `json:"content,omitempty"`
}

// The formats of source files.
const (
	textFormat   = "TEXT"
	base64Format = "BASE64"
)

func versionOut(v actors.Version) versionJSON {
	out := versionJSON{
		Number: v.Number, SourceType: v.SourceType, BuildTag: v.BuildTag, EnvVarsAtBuild: v.EnvVarsAtBuild,
		EnvVars: api.Each(v.EnvVars, envVarOut), TarballURL: v.TarballURL,
	}
	if v.SourceType == actors.SourceFiles {
		out.SourceFiles = api.Each(v.Files, sourceFileOut)
	}
	return out
}

func sourceFileOut(f actors.SourceFile) sourceFileJSON {
	switch {
	case f.Folder:
		return sourceFileJSON{Name: f.Name, Folder: true}
	case f.Base64:
		return sourceFileJSON{Name: f.Name, Format: base64Format, Content: &f.Content}
	}
	return sourceFileJSON{Name: f.Name, Format: textFormat, Content: &f.Content}
}

// versionIn changes what is given of a version.
func versionIn(v *actors.Version) strictjson.Value {
	var files []actors.SourceFile
	var env []actors.EnvVar
	return strictjson.Open(strictjson.Fields{
		"versionNumber": strictjson.String(&v.Number), "buildTag": textIn(&v.BuildTag), "applyEnvVarsToBuild": strictjson.Bool(&v.EnvVarsAtBuild),
		"sourceType":  strictjson.OneOf(&v.SourceType, actors.SourceFiles, actors.Tarball, "GIT_REPO", "GITHUB_GIST", "SOURCE_CODE"),
		"tarballUrl":  textIn(&v.TarballURL),
		"sourceFiles": strictjson.Then(arrayIn(&files, sourceFileIn), func() { v.Files = files }),
		"envVars":     strictjson.Then(arrayIn(&env, envVarIn), func() { v.EnvVars = env }),
	})
}

func sourceFileIn(f *actors.SourceFile) strictjson.Value {
	format := textFormat
	return strictjson.Then(strictjson.Open(strictjson.Fields{
		"name": strictjson.String(&f.Name), "folder": strictjson.Bool(&f.Folder), "content": strictjson.String(&f.Content),
		"format": strictjson.OneOf(&format, textFormat, base64Format),
	}, "name"), func() { f.Base64 = format == base64Format })
}

// arrayIn is an array whose elements are read one by one.
func arrayIn[T any](all *[]T, one func(*T) strictjson.Value) strictjson.Value {
	return strictjson.Array(func(_ int, read func(strictjson.Value) error) error {
		*all = append(*all, *new(T))
		return read(one(&(*all)[len(*all)-1]))
	})
}

// versionsIn are versions that take the place of others: an empty array of all.
func versionsIn(all *[]actors.Version) strictjson.Value {
	return strictjson.Then(arrayIn(all, versionIn), func() {
		if *all == nil {
			*all = []actors.Version{}
		}
	})
}

func listVersions(x *exchange) (answer, error) {
	a, err := x.Actors.Actor(x.R.Context(), x.Path("actorId"))
	return data(allOf(a.Versions, versionOut)), err
}

func createVersion(x *exchange) (answer, error) {
	var v actors.Version
	if err := x.Body(versionIn(&v)); err != nil {
		return answer{}, err
	}
	v, err := x.Actors.CreateVersion(x.R.Context(), x.Path("actorId"), v)
	if err != nil {
		return answer{}, err
	}
	x.W.Header().Set("Location", x.Base()+"/v2/actors/"+x.Path("actorId")+"/versions/"+v.Number)
	return api.Created(dataOf(versionOut(v))), nil
}

// version is the one in the path.
func (x *exchange) version() (actors.Version, error) {
	return x.Actors.Version(x.R.Context(), x.Path("actorId"), x.Path("versionNumber"))
}

func getVersion(x *exchange) (answer, error) {
	v, err := x.version()
	return data(versionOut(v)), err
}

func updateVersion(x *exchange) (answer, error) {
	body, err := x.JSON()
	if err == nil && body != nil {
		err = x.Decode(body, versionIn(new(actors.Version)))
	}
	if err != nil {
		return answer{}, err
	}
	v, err := x.changeVersion(func(v *actors.Version) {
		if body != nil {
			_ = x.Decode(body, versionIn(v)) // has been decoded before
		}
	})
	return data(versionOut(v)), err
}

func (x *exchange) changeVersion(change func(*actors.Version)) (actors.Version, error) {
	return x.Actors.UpdateVersion(x.R.Context(), x.Path("actorId"), x.Path("versionNumber"), change)
}

func deleteVersion(x *exchange) (answer, error) {
	return api.NoContent(), x.Actors.DeleteVersion(x.R.Context(), x.Path("actorId"), x.Path("versionNumber"))
}
