// Steps run one after the other; the first that fails ends the script. The last
// line says how many passed. The time of a step is for one that hangs, however
// busy the machine is.
let passed = 0;

export async function step(name, what) {
  const begun = performance.now();
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error("took too long")), 120000); });
  try {
    await Promise.race([what(), late]);
  } catch (err) {
    console.error(`step "${name}" failed after ${Math.round(performance.now() - begun)} ms`);
    throw err;
  } finally {
    clearTimeout(timer);
  }
  passed++;
}

export function end() {
  console.log(`all ${passed} steps passed`);
  process.exit(0);
}

// until asks again and again until the answer is one.
export async function until(ask) {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
