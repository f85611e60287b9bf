package main

import (
	"context"
	"crypto/ecdh"
	"crypto/hpke"
	"encoding/base64"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"text/tabwriter"

	"golang.org/x/term"

	"github.com/drover-go/drover/errtypes"
)

// secretsCmd are about secrets of a project, of a running service or of the data of one
// that does not run. None prints a value.
type secretsCmd struct {
	Set    secretsSetCmd    `cmd:"" help:"Keep a secret, or give it another value, and let functions have it."`
	List   secretsListCmd   `cmd:"" help:"List the names of the secrets of a project, newest first."`
	Delete secretsDeleteCmd `cmd:"" help:"Delete a secret, and take it from the functions that have it."`
}

type secretJSON struct {
	ID        string `json:"id"`
	SecretKey string `json:"secretKey"`
}

// secrets lists all secrets below a path.
func (a *apiClient) secrets(ctx context.Context, path string) (all []secretJSON, err error) {
	all = []secretJSON{}
	query := url.Values{"limit": {"1000"}}
	for {
		var page struct {
			Data       []secretJSON
			NextCursor string
		}
		if err := a.call(ctx, "GET", path+"?"+query.Encode(), nil, &page); err != nil {
			return nil, err
		}
		if all = append(all, page.Data...); page.NextCursor == "" {
			return all, nil
		}
		query.Set("cursor", page.NextCursor)
	}
}

// secret finds a secret by its name, else by its id; nil where there is none.
func (a *apiClient) secret(ctx context.Context, ref string) (*secretJSON, error) {
	all, err := a.secrets(ctx, "/v1/secrets")
	if err != nil {
		return nil, err
	}
	for _, same := range []func(secretJSON) bool{
		func(s secretJSON) bool { return s.SecretKey == ref }, func(s secretJSON) bool { return s.ID == ref },
	} {
		for _, s := range all {
			if same(s) {
				return &s, nil
			}
		}
	}
	return nil, nil
}

// sealed seals a value under the key of the project, as a body of the service.
func (a *apiClient) sealed(ctx context.Context, value string) (map[string]string, error) {
	var pair struct {
		ID        string
		PublicKey []byte
	}
	if err := a.call(ctx, "GET", "/v1/secrets/keypair", nil, &pair); err != nil {
		return nil, err
	}
	key, err := hpke.DHKEM(ecdh.X25519()).NewPublicKey(pair.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("the service's key cannot be used: %w", err)
	}
	message, err := hpke.Seal(key, hpke.HKDFSHA256(), hpke.AES256GCM(), nil, []byte(value))
	if err != nil {
		return nil, err
	}
	return map[string]string{"keypairId": pair.ID, "sealedSecretValue": base64.StdEncoding.EncodeToString(message)}, nil
}

// setSecret makes the secret of a name, or gives the one that there is the value.
func (a *apiClient) setSecret(ctx context.Context, name, value string) (s secretJSON, made bool, err error) {
	known, err := a.secret(ctx, name)
	if err != nil {
		return s, false, err
	}
	body, err := a.sealed(ctx, value)
	if err != nil {
		return s, false, err
	}
	if known != nil {
		return s, false, a.call(ctx, "PATCH", "/v1/secrets/"+known.ID, body, &s)
	}
	body["secretKey"] = name
	return s, true, a.call(ctx, "POST", "/v1/secrets", body, &s)
}

type secretsSetCmd struct {
	onService
	Name     string   `arg:"" help:"Name under which functions find it: letters, digits, \"_\", \"-\" and \".\"; or the id of one that there is."`
	File     string   `short:"f" help:"File with the value. Default standard input; on a terminal it is asked for and not shown. One line break at its end is none of it." placeholder:"FILE"`
	Function []string `sep:"none" help:"Function that gets it from its next invocation on, by name or id. Repeatable." placeholder:"FUNCTION"`
}

// Run sets the secret. Its value stands neither on the command line, which others can
// see, nor in what is printed.
func (cmd secretsSetCmd) Run(ctx context.Context, c console) error {
	value, err := cmd.value(os.Stdin, c.stderr)
	if err != nil {
		return err
	}
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		var functions []functionJSON
		for _, ref := range cmd.Function { // before anything is changed
			f, err := api.function(ctx, ref)
			if err != nil {
				return err
			}
			functions = append(functions, f)
		}
		s, made, err := api.setSecret(ctx, cmd.Name, value)
		if err != nil {
			return err
		}
		for _, f := range functions {
			if err := api.call(ctx, "POST", "/v1/functions/"+f.ID+"/secrets", map[string]string{"secretId": s.ID}, nil); err != nil {
				return err
			}
		}
		if cmd.JSON {
			return printValue(c.stdout, s)
		}
		done := "Changed"
		if made {
			done = "Stored"
		}
		fmt.Fprintf(c.stdout, "%s secret %s (%s).\n", done, s.SecretKey, s.ID)
		return nil
	})
}

// maxSecretInput is the most that is read of a value, in bytes: more than a service
// takes by default.
const maxSecretInput = 1 << 20

// value reads the value from the file or from standard input.
func (cmd secretsSetCmd) value(in *os.File, prompt io.Writer) (string, error) {
	if cmd.File != "" {
		f, err := os.Open(cmd.File)
		if err != nil {
			return "", errtypes.New(errtypes.Invalid, "the file cannot be read: %v", err)
		}
		defer f.Close()
		in = f
	} else if term.IsTerminal(int(in.Fd())) {
		fmt.Fprint(prompt, "Value, which is not shown: ")
		typed, err := term.ReadPassword(int(in.Fd()))
		fmt.Fprintln(prompt)
		return string(typed), err
	}
	read, err := io.ReadAll(io.LimitReader(in, maxSecretInput+1))
	switch {
	case err != nil:
		return "", errtypes.New(errtypes.Invalid, "the value cannot be read: %v", err)
	case len(read) > maxSecretInput:
		return "", errtypes.New(errtypes.TooLarge, "the value is larger than %d bytes", maxSecretInput)
	}
	value := strings.TrimSuffix(strings.TrimSuffix(string(read), "\n"), "\r")
	if value == "" {
		return "", errtypes.New(errtypes.Invalid, "the value is empty: pipe it in, or name a file with --file")
	}
	return value, nil
}

type secretsListCmd struct {
	onService
	Function string `help:"Only those that this function gets, by name or id." placeholder:"FUNCTION"`
}

// Run prints one line a secret.
func (cmd secretsListCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		path := "/v1/secrets"
		if cmd.Function != "" {
			f, err := api.function(ctx, cmd.Function)
			if err != nil {
				return err
			}
			path = "/v1/functions/" + f.ID + "/secrets"
		}
		all, err := api.secrets(ctx, path)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return printValue(c.stdout, all)
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "NAME\tID")
		for _, s := range all {
			fmt.Fprintf(w, "%s\t%s\n", s.SecretKey, s.ID)
		}
		return w.Flush()
	})
}

type secretsDeleteCmd struct {
	onService
	Name string `arg:"" help:"Name or id of the secret."`
}

// Run deletes the secret.
func (cmd secretsDeleteCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		s, err := api.secret(ctx, cmd.Name)
		switch {
		case err != nil:
			return err
		case s == nil:
			return errtypes.New(errtypes.NotFound, "there is no secret %q; \"drover secrets list\" names those that there are", cmd.Name)
		}
		if err := api.call(ctx, "DELETE", "/v1/secrets/"+s.ID, nil, nil); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Deleted secret %s (%s).\n", s.SecretKey, s.ID)
		return nil
	})
}
