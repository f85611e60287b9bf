// What a program needs to be published: it says which functions it has, or asks for
// invocations.
import { mkdirSync, writeFileSync } from "node:fs";

const functions = {};
const phase = process.env.BB_FUNCTIONS_PHASE;

export function define(name, run, config = {}) {
  functions[name] = run;
  if (phase !== "introspect") return;
  mkdirSync(".browserbase/functions/manifests", { recursive: true });
  writeFileSync(`.browserbase/functions/manifests/${name}.json`, JSON.stringify({ name, config }));
}

async function serve() {
  const at = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`;
  for (;;) {
    const next = await fetch(`${at}/next`);
    const id = next.headers.get("lambda-runtime-aws-request-id");
    const { functionName, params, context } = await next.json();
    const post = (kind, body) => fetch(`${at}/${id}/${kind}`, { method: "POST", body });
    try {
      const result = await functions[functionName](context, params, (value) => post("response", JSON.stringify(value)));
      await post("response", JSON.stringify(result) ?? "");
    } catch (e) {
      await post("error", JSON.stringify({ errorType: e.name, errorMessage: e.message }));
    }
  }
}

if (phase === "runtime") setImmediate(serve);
