// Telling when a page has done what an action made it do: no change of its tree
// in two animation frames. Whether it has set timers can be told, when they are due
// cannot; so they are given a time.
const changes = { subtree: true, childList: true, attributes: true, characterData: true };
const actEvents = [...clickEvents, "pointermove", "keydown", "keyup", "input", "scroll", "wheel", "drop", "dragend"];
const armedFor = 20000; // ms; whoever armed it may be gone

// ownTimers counts the timers of this code. The browser numbers those of a
// document in a row, whoever sets them.
let ownTimers = 0;

function later(f, ms) {
  ownTimers++;
  return setTimeout(f, ms);
}

// pageTimers grows with each timer that the page sets.
function pageTimers() {
  const id = later(() => {}, 0);
  clearTimeout(id);
  return id - ownTimers;
}

let armed = null;

// arm begins to watch the document, before an action, or for what its requests
// brought, which may have set timers already.
function arm(brought) {
  disarm();
  const now = performance.now();
  const w = { frame: 0, last: 0, timers: brought ? -1 : pageTimers(), acted: now, typed: false, until: now + armedFor, check: () => {} };
  w.changed = () => { w.last = w.frame; };
  w.observer = new MutationObserver(w.changed);
  w.observer.observe(document, changes);
  w.happened = (ev) => {
    if (!ev.isTrusted) return;
    w.changed();
    w.acted = performance.now();
    w.typed ||= ev.type === "input" || ev.type === "keydown";
    for (const node of pathOf(ev)) if (node instanceof ShadowRoot) w.observer.observe(node, changes);
  };
  for (const type of actEvents) listen(window, type, w.happened, true);
  const tick = () => {
    if (armed !== w) return;
    w.frame++;
    w.check();
    if (performance.now() < w.until) requestAnimationFrame(tick);
    else disarm();
  };
  requestAnimationFrame(tick);
  armed = w;
}

function disarm() {
  if (!armed) return;
  armed.observer.disconnect();
  for (const type of actEvents) unlisten(window, type, armed.happened, true);
  armed = null;
}

// quiet waits, limit at most, until nothing has changed for two frames, and reports
// whether that came. Where timers have been set it goes on for as long as they are
// given; for all of the limit where something was typed, of which pages wait for
// the end.
async function quiet(limit, timers) {
  const w = armed;
  if (!w) return false;
  const until = performance.now() + limit;
  const still = () => w.frame - w.last >= 2;
  const due = () => (pageTimers() === w.timers ? 0 : w.acted + (w.typed ? limit : timers) - performance.now());
  while (performance.now() < until) {
    await new Promise((resolve) => {
      const timer = later(resolve, until - performance.now());
      w.check = () => {
        if (!still()) return;
        clearTimeout(timer);
        resolve();
      };
      w.check();
    });
    await new Promise((resolve) => later(resolve, 0)); // behind what else the frame has
    if (!still()) continue;
    const left = Math.min(due(), until - performance.now());
    if (left <= 0) break;
    await new Promise((resolve) => later(resolve, left));
  }
  disarm();
  return still();
}
