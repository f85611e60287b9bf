// Steps run one after the other; the first that fails ends the script.
export const site = process.env.SITE;
export const address = process.env.CONNECT_URL;

export function equal(got, want, what) {
  if (got !== want) throw new Error(`${what}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

export function ok(value, what) {
  if (!value) throw new Error(what);
}

export async function fails(promise, pattern, what) {
  try {
    await promise;
  } catch (error) {
    if (pattern.test(String(error))) return;
    throw new Error(`${what}: failed as ${error}`);
  }
  throw new Error(`${what}: did not fail`);
}

export async function run(steps) {
  const done = [];
  for (const [name, step] of steps) {
    let timer;
    const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('took too long')), 30000); });
    try {
      const begun = performance.now();
      await Promise.race([step(), late]);
      done.push(`${name} (${Math.round(performance.now() - begun)} ms)`);
    } catch (error) {
      console.log(`step "${name}" failed after ${done.join(', ')}\n${error.stack}`);
      process.exit(1);
    } finally {
      clearTimeout(timer);
    }
  }
  console.log(`all steps passed: ${done.join(', ')}`);
  process.exit(0);
}
