package platform

import (
	"cmp"
	"slices"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
)

const oneEnvVar = oneVersion + "/env-vars/{envVarName}"

// envVarJSON is a variable. The value of a secret one is not told.
type envVarJSON struct {
	Name     string  `json:"name"`
	Value    *string `json:"value,omitempty"`
	IsSecret bool    `json:"isSecret"`
}

func envVarOut(e actors.EnvVar) envVarJSON {
	out := envVarJSON{Name: e.Name, IsSecret: e.Secret}
	if !e.Secret {
		out.Value = &e.Value
	}
	return out
}

// envVarIn changes what is given of a variable.
func envVarIn(e *actors.EnvVar) strictjson.Value {
	return strictjson.Open(strictjson.Fields{
		"name": strictjson.String(&e.Name), "value": strictjson.String(&e.Value), "isSecret": strictjson.Bool(&e.Secret),
	})
}

func listEnvVars(x *exchange) (answer, error) {
	v, err := x.version()
	return data(allOf(v.EnvVars, envVarOut)), err
}

// envVar is the one in the path.
func (x *exchange) envVar() (actors.EnvVar, error) {
	v, err := x.version()
	if err != nil {
		return actors.EnvVar{}, err
	}
	return x.envVarOf(v)
}

// envVarOf is the one in the path, of a version.
func (x *exchange) envVarOf(v actors.Version) (actors.EnvVar, error) {
	name := x.Path("envVarName")
	if at := indexOf(v, name); at >= 0 {
		return v.EnvVars[at], nil
	}
	return actors.EnvVar{}, errtypes.OfType(errtypes.TypeRecordNotFound, "there is no environment variable %.100q", name)
}

func indexOf(v actors.Version, name string) int {
	return slices.IndexFunc(v.EnvVars, func(e actors.EnvVar) bool { return e.Name == name })
}

// put adds a variable to a version, or puts it in the place of the one that has its
// name.
func put(v *actors.Version, e actors.EnvVar) {
	if at := indexOf(*v, e.Name); at >= 0 {
		v.EnvVars[at] = e
		return
	}
	v.EnvVars = append(v.EnvVars, e)
}

func getEnvVar(x *exchange) (answer, error) {
	e, err := x.envVar()
	return data(envVarOut(e)), err
}

// errEnvVarExists refuses a variable that there is already.
func errEnvVarExists(name string) error {
	return errtypes.OfType(errtypes.TypeEnvVarAlreadyExists, "the version has an environment variable %.100q already", name)
}

// changeEnvironment changes the variables of the version where they lie: what others have
// changed since they were read counts. What is refused at first sight writes nothing.
func (x *exchange) changeEnvironment(change func(v *actors.Version) error) error {
	v, err := x.version()
	if err == nil {
		err = change(&v)
	}
	if err != nil {
		return err
	}
	var refused error
	_, err = x.changeVersion(func(v *actors.Version) { refused = change(v) })
	return cmp.Or(err, refused)
}

func createEnvVar(x *exchange) (answer, error) {
	var e actors.EnvVar
	if err := x.Body(envVarIn(&e)); err != nil {
		return answer{}, err
	}
	err := x.changeEnvironment(func(v *actors.Version) error {
		if indexOf(*v, e.Name) >= 0 {
			return errEnvVarExists(e.Name)
		}
		put(v, e)
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	x.W.Header().Set("Location", x.Base()+x.R.URL.EscapedPath()+"/"+e.Name)
	return api.Created(dataOf(envVarOut(e))), nil
}

// updateEnvVar keeps the value of a variable that is given none.
func updateEnvVar(x *exchange) (answer, error) {
	body, err := x.JSON()
	if err != nil {
		return answer{}, err
	}
	var e actors.EnvVar
	err = x.changeEnvironment(func(v *actors.Version) (err error) {
		if e, err = x.changed(*v, body); err == nil {
			put(v, e)
		}
		return err
	})
	return data(envVarOut(e)), err
}

// changed is the variable in the path with what a body changes of it.
func (x *exchange) changed(v actors.Version, body []byte) (actors.EnvVar, error) {
	was, err := x.envVarOf(v)
	if err != nil || body == nil {
		return was, err
	}
	e := was
	err = x.Decode(body, envVarIn(&e))
	switch {
	case err != nil:
		return e, err
	case e.Name != was.Name:
		return e, errtypes.OfType(errtypes.TypeCannotRenameEnvVar, "an environment variable cannot be renamed")
	case was.Secret && !e.Secret && e.Value == "":
		return e, errtypes.Field("value", "is required for a variable that is to be secret no more")
	}
	return e, nil
}

func deleteEnvVar(x *exchange) (answer, error) {
	return api.NoContent(), x.changeEnvironment(func(v *actors.Version) error {
		e, err := x.envVarOf(*v)
		if err == nil {
			at := indexOf(*v, e.Name)
			v.EnvVars = slices.Delete(v.EnvVars, at, at+1)
		}
		return err
	})
}
