// A program that speaks the runtime's protocol by itself.
import { spawn } from "node:child_process";

const at = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`;
const functions = {
  pid: () => process.pid,
  prints: ({ lines }) => {
    for (let i = 0; i < lines; i++) (i % 2 ? console.error : console.log)(`line ${i}`);
    return lines;
  },
  says: ({ text }) => void process.stdout.write(text),
  exits: ({ code }) => process.exit(code),
  hangs: () => new Promise(() => setInterval(() => {}, 1000)),
  spins: () => {
    for (;;);
  },
  fails: () => {
    throw new RangeError("out of luck");
  },
  exitsLater: () => process.pid,
  forks: () => {
    const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    console.log(`forked ${child.pid}`);
    return functions.hangs();
  },
  leaves: ({ signal }) => {
    const leave = () => spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).unref();
    signal ? process.once(signal, leave) : leave();
    return process.pid;
  },
  runs: ({ command }) => new Promise((done) => spawn("sh", ["-c", command], { stdio: "ignore" }).on("exit", () => done(process.pid))),
  env: () => Object.keys(process.env).sort(),
};

for (;;) {
  const next = await fetch(`${at}/next`);
  const id = next.headers.get("lambda-runtime-aws-request-id");
  const { functionName, params } = await next.json();
  try {
    const result = await functions[functionName](params);
    await fetch(`${at}/${id}/response`, { method: "POST", body: JSON.stringify(result) });
    if (functionName === "exitsLater") process.exit(9);
  } catch (e) {
    await fetch(`${at}/${id}/error`, { method: "POST", body: JSON.stringify({ errorType: e.name, errorMessage: e.message }) });
  }
}
