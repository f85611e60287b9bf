// Telling when a page has done what an action made it do: no change of its tree
// in two animation frames, and no timer set.
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

// arm begins to watch the document, before an action.
function arm() {
  disarm();
  const w = { frame: 0, last: 0, timers: pageTimers(), until: performance.now() + armedFor, check: () => {} };
  w.changed = () => { w.last = w.frame; };
  w.observer = new MutationObserver(w.changed);
  w.observer.observe(document, changes);
  w.happened = (ev) => {
    if (!ev.isTrusted) return;
    w.changed();
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

// quiet waits, limit at most, until nothing has changed for two frames, and
// reports whether that came and the page has set no timer since it was armed.
async function quiet(limit) {
  const w = armed;
  if (!w) return false;
  const until = performance.now() + limit;
  const still = () => w.frame - w.last >= 2;
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
    if (still()) break;
  }
  const set = pageTimers() !== w.timers;
  disarm();
  return still() && !set;
}
