package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// runEnvironment is what a version gives its runs.
type runEnvironment struct {
	environment
	actor string   // the name of the Actor
	tags  []string // of the build
}

// with are the secrets of an environment and others, which take the place of its own.
func (e runEnvironment) with(others ...map[string]string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, e.secrets)
	for _, more := range others {
		maps.Copy(all, more)
	}
	return all
}

// runEnv is the environment that the version of a run's build gives it, and what the
// Actor may do. A version, or an Actor, that is gone gives none.
func (s *service) runEnv(ctx context.Context, r runRow) (e runEnvironment, may Permissions, err error) {
	may = LimitedPermissions
	at, _ := parseNumber(strings.TrimSuffix(r.BuildNumber, path.Ext(r.BuildNumber)))
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		a, err := findActor(ctx, q, r.ProjectID, selector{id: r.ProgramID})
		if errors.Is(err, storage.ErrNoRow) {
			return nil
		}
		if err != nil {
			return err
		}
		e.actor, may = a.Name, cmp.Or(r.Options.Permissions, a.Permissions)
		tags, err := listTags(ctx, q, r.ProgramID)
		if err != nil {
			return err
		}
		for _, t := range tags {
			if t.id == r.BuildID {
				e.tags = append(e.tags, t.tag)
			}
		}
		rows, err := listEnv(ctx, q, r.ProgramID, at)
		if err != nil {
			return err
		}
		e.environment, err = s.openEnv(rows)
		return err
	})
	return e, may, err
}

// hostEnv is what every process has unless its image or its version says something else.
func (s *service) hostEnv(r runRow) []string {
	heap := r.Options.Memory * 3 / 4 // the rest is what Node.js takes beside
	env := []string{
		"NODE_ENV=production", "LANG=C.UTF-8", "NODE_OPTIONS=--max-old-space-size=" + strconv.Itoa(heap),
		"APIFY_HEADLESS=1", "CRAWLEE_HEADLESS=1", "APIFY_DISABLE_BROWSER_SANDBOX=1", "CRAWLEE_DISABLE_BROWSER_SANDBOX=1",
	}
	if s.conf.Chromium == nil {
		return env
	}
	chromium, err := s.conf.Chromium()
	if err != nil { // an Actor that needs none is not told
		return env
	}
	for _, name := range []string{
		"APIFY_CHROME_EXECUTABLE_PATH", "CRAWLEE_CHROME_EXECUTABLE_PATH", "APIFY_DEFAULT_BROWSER_PATH", "CRAWLEE_DEFAULT_BROWSER_PATH", "PUPPETEER_EXECUTABLE_PATH", "CHROME_PATH",
	} {
		env = append(env, name+"="+chromium)
	}
	return env
}

// platformEnv says to the program of a run what that is: under the names of today, and
// under older ones, which packages of other languages prefer.
func (s *service) platformEnv(r runRow, project projects.Project, e runEnvironment, may Permissions, at address) []string {
	both := map[string]string{ // ACTOR_ and APIFY_
		"DEFAULT_KEY_VALUE_STORE_ID": r.KeyValueStoreID, "DEFAULT_DATASET_ID": r.DatasetID, "DEFAULT_REQUEST_QUEUE_ID": r.RequestQueueID,
		"INPUT_KEY": r.InputKey, "MEMORY_MBYTES": strconv.Itoa(r.Options.Memory), "STARTED_AT": isoTime(r.Stats.TimedFrom),
	}
	ids := map[string]string{ // ACTOR_ and APIFY_ACTOR_
		"ID": r.ProgramID, "RUN_ID": r.ID, "BUILD_ID": r.BuildID, "BUILD_NUMBER": r.BuildNumber, "TASK_ID": r.TaskID,
	}
	own := map[string]string{
		"ACTOR_EVENTS_WEBSOCKET_URL": at.events, "APIFY_ACTOR_EVENTS_WS_URL": at.events, "APIFY_ACT_ID": r.ProgramID, "APIFY_ACT_RUN_ID": r.ID,
		"ACTOR_FULL_NAME": project.Username + "/" + e.actor, "APIFY_IS_AT_HOME": "1", "APIFY_TOKEN": at.token, "APIFY_USER_ID": project.UserID,
		"APIFY_API_BASE_URL": at.base, "APIFY_API_PUBLIC_BASE_URL": cmp.Or(s.conf.PublicURL, at.base), "APIFY_META_ORIGIN": r.Meta.Origin,
		"ACTOR_BUILD_TAGS": strings.Join(e.tags, ","), "ACTOR_PERMISSION_LEVEL": string(may),
		"APIFY_DEDICATED_CPUS": strconv.FormatFloat(float64(r.Options.Memory)/4096, 'f', -1, 64),
	}
	if by := r.DeadlineAt(); !by.IsZero() {
		both["TIMEOUT_AT"] = isoTime(by)
	}
	if r.Options.MaxItems > 0 {
		own["ACTOR_MAX_PAID_DATASET_ITEMS"] = strconv.FormatInt(r.Options.MaxItems, 10)
	}
	if r.Options.MaxTotalCharge > 0 {
		own["ACTOR_MAX_TOTAL_CHARGE_USD"] = strconv.FormatFloat(r.Options.MaxTotalCharge, 'f', -1, 64)
	}
	if o := r.Options.RestartOnError; o != nil && *o {
		own["ACTOR_RESTART_ON_ERROR"] = "1"
	}
	maps.Copy(own, at.proxy)
	maps.Copy(own, webServerEnv())
	for name, value := range both {
		own["ACTOR_"+name], own["APIFY_"+name] = value, value
	}
	for name, value := range ids {
		own["ACTOR_"+name], own["APIFY_ACTOR_"+name] = value, value
	}
	maps.DeleteFunc(own, func(_, value string) bool { return value == "" })
	return variables(own)
}

// variables are those of an environment, by name.
func variables(env map[string]string) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(env)) {
		all = append(all, name+"="+env[name])
	}
	return all
}

// webServerEnv is where a program may have a server of its own, for whoever is on this
// machine: a port of loopback that nobody has when it starts.
func webServerEnv() map[string]string {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil { // there will be none for it either
		return nil
	}
	defer l.Close()
	host := l.Addr().String()
	_, port, _ := net.SplitHostPort(host)
	return map[string]string{
		"ACTOR_WEB_SERVER_PORT": port, "ACTOR_WEB_SERVER_URL": "http://" + host, "APIFY_CONTAINER_PORT": port, "APIFY_CONTAINER_URL": "http://" + host,
	}
}

// reserved is the variable that the host knows its processes by.
const reserved = "DROVER_CHILD"

// environ puts environments together: of variables with one name the last counts.
func environ(all ...[]string) []string {
	values := map[string]string{}
	for _, variable := range slices.Concat(all...) {
		name, value, _ := strings.Cut(variable, "=")
		values[name] = value
	}
	delete(values, reserved)
	delete(values, "")
	env := make([]string, 0, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		env = append(env, fmt.Sprint(name, "=", values[name]))
	}
	return env
}
