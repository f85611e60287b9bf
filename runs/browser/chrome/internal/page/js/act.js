// Finding the point to click, and getting fields ready for typing.

// nextFrame waits for the next animation frame. The answer is false when none
// comes: what is not painted gets none, and does not move.
const nextFrame = () => new Promise((resolve) => {
  const timer = later(() => resolve(false), 500);
  requestAnimationFrame(() => {
    clearTimeout(timer);
    resolve(true);
  });
});

// hitAt is the innermost element at a point, shadow roots entered.
function hitAt(x, y) {
  let hit = null;
  for (let root = document; root; ) {
    const el = hitIn(root, x, y);
    if (!el || el === hit) break;
    hit = el;
    root = shadowOf(el);
  }
  return hit;
}

// middleOf is the middle of what of el lies in the window; null if nothing does.
function middleOf(el) {
  for (const rect of [...rectsOf(el), rectOf(el)]) {
    const left = Math.max(rect.left, 0), right = Math.min(rect.right, innerWidth);
    const top = Math.max(rect.top, 0), bottom = Math.min(rect.bottom, innerHeight);
    if (right - left >= 1 && bottom - top >= 1) return { x: (left + right) / 2, y: (top + bottom) / 2 };
  }
  return null;
}

// reaches reports whether a click on hit is a click on el: it is inside it, or
// inside a label of it.
function reaches(hit, el) {
  if (within(hit, el)) return true;
  const labels = el.labels;
  return Boolean(labels) && labels instanceof NodeList && [...labels].some((l) => within(hit, l));
}

const boxOf = (el) => {
  const r = rectOf(el);
  return [r.left, r.top, r.width, r.height].join();
};

// bringIntoView scrolls to el, or to a place in it, and waits until it stands
// still.
async function bringIntoView(el, framed, still, at) {
  const rect = rectOf(el);
  const whole = rect.top >= 0 && rect.left >= 0 && rect.bottom <= innerHeight && rect.right <= innerWidth;
  const point = pointIn(el, at);
  // What a frame shows may itself be out of view, which only scrolling tells.
  if (framed || !(whole || at) || !point || !reaches(hitAt(point.x, point.y), el)) {
    scrollTo(el, { block: "center", inline: "center", behavior: "instant" });
    if (at && !pointIn(el, at)) {
      const now = rectOf(el);
      scrollBy({ left: now.left + at.x - innerWidth / 2, top: now.top + at.y - innerHeight / 2, behavior: "instant" });
    }
  }
  await standsStill(el, still);
}

// pointIn is the place at in el, counted from its upper left corner, or the
// middle of what is seen of it; null if that is not in the window.
function pointIn(el, at) {
  if (!at) return middleOf(el);
  const rect = rectOf(el);
  const point = { x: rect.left + at.x, y: rect.top + at.y };
  return inWindow(point) ? point : null;
}

// standsStill waits until the box of el is the same in an animation frame as
// before it, or for the given time: what never rests is clicked where it is.
async function standsStill(el, still) {
  const until = performance.now() + still;
  for (let before = boxOf(el); await nextFrame(); ) {
    const now = boxOf(el);
    if (now === before || performance.now() >= until) return;
    before = now;
  }
}

const pointerLockOf = getter(Document.prototype, "pointerLockElement");
const releasePointer = bind(Document.prototype.exitPointerLock);

// freePointer takes back a pointer that the page has locked: it would get all events
// of the mouse, wherever they are meant for.
async function freePointer() {
  if (!pointerLockOf(document)) return;
  releasePointer(document);
  for (const until = performance.now() + 1000; pointerLockOf(document) && performance.now() < until; ) await nextFrame();
}

// locate prepares a click on the element and says where, in this frame: at a
// place in it, or in the middle. Without clicks, no click is looked out for.
async function locate(n, framed, still, at, clicks) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  if (disabled(el) && clicks) return { state: "disabled" };
  await freePointer();
  await bringIntoView(el, framed, still, at);
  if (!connected(el)) return { state: "stale" };
  if (disabled(el) && clicks) return { state: "disabled" };
  const point = pointIn(el, at);
  if (!point) return { state: "hidden" };
  const hit = hitAt(point.x, point.y);
  if (!reaches(hit, el)) return { state: "covered", by: coverOf(hit) };
  if (clicks) expectClick((target) => reaches(target, el));
  return { state: "ok", ...point };
}

// throughFrame translates a point inside a frame into one outside, and scrolls
// there where the frame's own scrolling has not.
async function throughFrame(n, x, y, still, clicks) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  await freePointer();
  await standsStill(el, still);
  let at = outside(el, x, y);
  if (!inWindow(at)) {
    scrollTo(el, { block: "nearest", inline: "nearest", behavior: "instant" });
    at = outside(el, x, y);
    if (!inWindow(at)) scrollBy({ left: at.x - innerWidth / 2, top: at.y - innerHeight / 2, behavior: "instant" });
    await standsStill(el, still);
    at = outside(el, x, y);
  }
  if (!connected(el)) return { state: "stale" };
  if (!inWindow(at)) return { state: "hidden" };
  const hit = hitAt(at.x, at.y);
  if (hit !== el) return { state: "covered", by: coverOf(hit) };
  if (clicks) expectClick(() => false); // the frame's document gets the events, not this one
  return { state: "ok", ...at };
}

// Between the look at the page and the click something may move. So the click
// itself is looked at before the page sees it; one that hits something else is
// swallowed, and made again.
const clickEvents = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
let expected = null;

function expectClick(reached) {
  forgetClick();
  const click = { missed: null };
  click.listener = (ev) => {
    if (!ev.isTrusted || (ev.type === "click" && ev.detail === 0)) return; // made by a script, or a key
    if (click.missed === null) click.missed = !reached(targetOf(ev));
    if (!click.missed) return;
    ev.preventDefault();
    ev.stopImmediatePropagation();
  };
  for (const type of clickEvents) listen(window, type, click.listener, true);
  listen(window, "contextmenu", noMenu);
  expected = click;
}

// noMenu keeps the browser's own menu from opening where the page shows none: it
// would take the next events for itself.
const noMenu = (ev) => ev.preventDefault();

// targetOf is the innermost element that an event hits: closed shadow roots show
// only their hosts.
function targetOf(ev) {
  const [target] = pathOf(ev);
  if (!(target instanceof Element) || !closedRoots.has(target)) return target;
  return hitAt(ev.clientX, ev.clientY) ?? target;
}

function forgetClick() {
  if (expected) for (const type of clickEvents) unlisten(window, type, expected.listener, true);
  unlisten(window, "contextmenu", noMenu);
  expected = null;
}

// clicked reports what the click has hit that was expected in this document.
function clicked() {
  const missed = expected?.missed === true;
  forgetClick();
  return { state: missed ? "missed" : "ok" };
}

const inWindow = (at) => at.x >= 0 && at.y >= 0 && at.x < innerWidth && at.y < innerHeight;

// turnOf is how an element is turned and stretched by the transforms of itself and of
// what it is in; where it stands is not in it.
function turnOf(el) {
  let turn = new DOMMatrix();
  for (let n = el, depth = 0; isElement(n) && depth < nestingLimit; n = shownParentOf(n), depth++) {
    const style = getComputedStyle(n);
    const own = [
      style.rotate !== "none" && /^-?[\d.e-]+deg$/.test(style.rotate) ? `rotate(${style.rotate})` : "",
      style.scale !== "none" ? `scale(${style.scale.split(" ").slice(0, 2).join(",")})` : "",
      style.transform !== "none" ? style.transform : "",
    ].join(" ").trim();
    if (own) turn = new DOMMatrix(own).multiply(turn);
  }
  return turn;
}

// outside is the point (x, y) of a frame's content in the window around it. The middle
// of a box that is turned is that of the box around it.
function outside(el, x, y) {
  const rect = rectOf(el);
  const style = getComputedStyle(el);
  const px = (name) => parseFloat(style[name]) || 0;
  const left = el.clientLeft + px("paddingLeft") + x, top = el.clientTop + px("paddingTop") + y;
  const turn = turnOf(el);
  if (Math.abs(turn.b) + Math.abs(turn.c) > 1e-6) {
    const dx = left - el.offsetWidth / 2, dy = top - el.offsetHeight / 2;
    return {
      x: rect.left + rect.width / 2 + turn.a * dx + turn.c * dy,
      y: rect.top + rect.height / 2 + turn.b * dx + turn.d * dy,
    };
  }
  const scaleX = rect.width / (el.offsetWidth || rect.width), scaleY = rect.height / (el.offsetHeight || rect.height);
  return { x: rect.left + left * scaleX, y: rect.top + top * scaleY };
}

// inside is the point of a frame's content at a point of the window around it.
function inside(el, x, y) {
  const zero = outside(el, 0, 0), right = outside(el, 1, 0), down = outside(el, 0, 1);
  const a = right.x - zero.x, b = right.y - zero.y, c = down.x - zero.x, d = down.y - zero.y;
  const size = a * d - b * c || 1;
  const dx = x - zero.x, dy = y - zero.y;
  return { x: (d * dx - c * dy) / size, y: (a * dy - b * dx) / size };
}

// quoted keeps a page's text from looking like the words around it.
const quoted = (s, limit) => JSON.stringify(cut(s, limit));

// coverOf describes the element that is in the way, by itself or by the
// nearest one around it that has a role and a name.
function coverOf(hit) {
  if (!hit) return "something outside the page";
  for (let el = hit, i = 0; isElement(el) && i < 6; el = shownParentOf(el), i++) {
    const role = roleOf(el) || (i === 0 ? "" : null);
    if (!role) continue;
    const name = nameOf(el, role) || textOf(el);
    if (name) return `${role} ${quoted(name, 100)}`;
  }
  const id = attr(hit, "id");
  const text = textOf(hit), tag = /^[a-z][a-z0-9-]{0,30}$/.test(tagOf(hit)) ? tagOf(hit) : "element";
  return `<${tag}${id ? ` id=${quoted(id, 50)}` : ""}>` + (text ? ` ${quoted(text, 100)}` : "");
}

const plainInputs = new Set(["", "text", "search", "url", "tel", "email", "password", "number"]);

// fieldKind says how an element takes text of a length: "keys" is typed into, "set"
// takes a whole value (dates, colours), "choice" has options, "boxes" are fields of
// one character each, and "struck" is what hears keys and is no field.
function fieldKind(n, length, from) {
  next = Math.max(next, from ?? 0);
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  if (disabled(el)) return { state: "disabled" };
  if (el instanceof HTMLSelectElement) return { state: "ok", kind: "choice" };
  if ((isField(el) && el.readOnly) || attr(el, "aria-readonly") === "true") return { state: "readonly" };
  if (el instanceof HTMLTextAreaElement) return { state: "ok", kind: "keys" };
  if (el instanceof HTMLInputElement) {
    if (plainInputs.has(el.type)) {
      const boxes = length > 1 && el.maxLength === 1 ? boxesFrom(el, length) : [];
      return length > 1 && boxes.length === length ? { state: "ok", kind: "boxes", elements: boxes.map(numberOf), next } : { state: "ok", kind: "keys" };
    }
    const whole = ["date", "time", "datetime-local", "month", "week", "color", "range"].includes(el.type);
    return whole ? { state: "ok", kind: "set" } : { state: "untypable" };
  }
  if (isHTML(el) && el.isContentEditable === true) return { state: "ok", kind: "rich" };
  const role = roleOf(el);
  const hears = el.editContext || role === "textbox" || role === "searchbox";
  return hears ? { state: "ok", kind: "struck", held: textOf(el) !== "" } : { state: "untypable" };
}

// boxesFrom are a field of one character and as many of those behind it.
function boxesFrom(el, count) {
  const root = rootOf(el);
  const all = [...allIn(root instanceof ShadowRoot ? root : document, "input")]
    .filter((e) => e.maxLength === 1 && plainInputs.has(e.type) && !disabled(e) && !e.readOnly && seen(e, { visibilityProperty: true }));
  const at = all.indexOf(el);
  return at < 0 ? [] : all.slice(at, at + count);
}

// grab focuses a field and selects what it holds, or puts the caret behind it.
// It reports whether there is something to replace.
function grab(n, append) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  isSecret(el);
  if (!focused(el)) focus(el);
  if (!focused(el)) return { state: "untypable" };
  prior = append ? (isField(el) ? el.value : innerTextOf(el)) : "";
  if (isField(el)) {
    const held = el.value.length;
    if (!append) el.select();
    else if (el.type !== "number" && el.type !== "email") el.setSelectionRange(held, held);
    return { state: "ok", held: held > 0 };
  }
  const selection = getSelection();
  selection.selectAllChildren(el);
  if (append) selection.collapseToEnd();
  return { state: "ok", held: textOf(el) !== "" };
}

// enter puts text into a field as grab and an input method do, whatever has the
// focus elsewhere: the command is this document's own. The keys tell pages that
// listen to the keyboard.
function enter(n, text, append) {
  const field = grab(n, append);
  if (field.state !== "ok") return field;
  const el = elementOf(n);
  if (text === "") {
    if (field.held && !append) command(document, "delete");
    return { state: "ok" };
  }
  const key = { key: text.at(-1), bubbles: true, cancelable: true, composed: true };
  emit(el, new KeyboardEvent("keydown", key));
  if (!focused(el)) return { state: "untypable" };
  const lines = isField(el) ? [el instanceof HTMLInputElement ? text.replace(/[\r\n]+/g, "") : text] : text.split(/\r\n|\n/);
  for (const [i, line] of lines.entries()) {
    if (i > 0) command(document, "insertLineBreak");
    if (line !== "" && !command(document, "insertText", false, line)) return { state: "untypable" };
  }
  emit(el, new KeyboardEvent("keyup", key));
  return { state: "ok" };
}

const origin = () => globalThis.origin;

// fillIn puts text into a field by one of these, in a document of that origin only.
// Look and act are one task: nothing of a page comes in between.
function fillIn(from, name, n, text, append) {
  if (origin() !== from) return { state: "stale" };
  return { enter, assign, choose }[name](n, text, append);
}

// prior is what the field held that is being typed into, where it is kept.
let prior = "";

// heldBy is what a field holds, without what the page proposes behind it and
// has selected for the next key to replace.
function heldBy(el) {
  if (!isField(el)) return isHTML(el) ? innerTextOf(el) : textOf(el);
  const at = el instanceof HTMLInputElement && plainInputs.has(el.type) ? el.selectionStart : null;
  return at && at < el.selectionEnd && el.selectionEnd === el.value.length ? el.value.slice(0, at) : el.value;
}

const bare = (s) => s.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "");
const tight = (s) => s.normalize("NFKC").replace(/\s/gu, "");
const linesOf = (s) => s.split(/\r\n|\r|\n/).map(bare).filter((line) => line !== "").join("\n");

// numberIn reads a number with a decimal comma, or grouped by commas.
function numberIn(s) {
  const t = s.trim();
  return t === "" ? NaN : Number(/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(t) ? t.replaceAll(",", "") : t.replace(",", "."));
}

// sameText reports whether a field holds what was typed, as the page may write
// it: "4111 1111 1111 1111" is 4111111111111111. What only lacks its end was
// cut off.
function sameText(want, got) {
  const w = want.trim(), g = got.trim();
  if (w === g) return true;
  if (bare(w) === "") return w === "" ? bare(g) === "" : tight(w) === tight(g);
  if (g !== "" && g.length < w.length && w.startsWith(g)) return false;
  if (bare(w) === bare(g)) return true;
  if (g.startsWith("+") && /^[\d\s()./-]+$/.test(w) && bare(g).endsWith(bare(w)) && bare(g).length <= bare(w).length + 3) return true;
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(w) && numberIn(g.replace(/[^\d.,-]/g, "")) === Number(w);
}

const fullTime = (s) => s.trim().toLowerCase().replace(" ", "t").replace(/(\d\d:\d\d):00(\.0+)?$/, "$1");

function sameValue(el, want, got) {
  if (!isField(el) || el instanceof HTMLTextAreaElement) {
    const same = bare(want) === "" ? sameText(want, got) : linesOf(want) === linesOf(got);
    // Editors take what is typed into a field of no size, and show it elsewhere.
    return same || (el instanceof HTMLTextAreaElement && got === "");
  }
  want = want.replace(/[\r\n]+/g, "");
  if (el.type === "number" || el.type === "range") return want.trim() === "" ? got === "" : numberIn(want) === Number(got || NaN);
  if (!plainInputs.has(el.type)) return fullTime(want) === fullTime(got);
  if (isSecret(el)) return want.trim() === got.trim();
  if (el.type === "email" && got.includes("@xn--")) return sameText(want.split("@")[0], got.split("@")[0]);
  return sameText(want, got) || (got === "" && /[,;]\s*$/.test(want)); // taken as one of several
}

// holds reports whether a field has taken what was typed into it. A field that
// is gone has led somewhere.
async function holds(n, typed, append) {
  await nextFrame(); // for what the page makes of it
  await new Promise((resolve) => later(resolve, 0)); // behind its own timers
  const el = elementOf(n);
  if (!el || !connected(el)) return { state: "ok" };
  const want = append ? prior + typed : typed;
  if (sameValue(el, want, heldBy(el))) return { state: "ok" };
  if (el instanceof HTMLInputElement && el.type === "range") return { state: "snapped", name: el.value, options: [el.min || "0", el.max || "100", el.step || "1"] };
  const short = (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) && el.maxLength >= 0 && want.length > el.maxLength;
  return short ? { state: "toolong", name: String(el.maxLength) } : { state: "other" };
}

// struck reports whether what hears keys shows the text.
async function struck(n, typed) {
  await nextFrame();
  await nextFrame();
  const el = elementOf(n);
  if (!el || !connected(el)) return { state: "ok" };
  return { state: bare(textOf(el)).includes(bare(typed)) ? "ok" : "other", held: textOf(el) !== "", more: textOf(el).length };
}

function focused(el) {
  let active = activeIn(document);
  while (active && shadowOf(active)) {
    const inner = activeIn(shadowOf(active));
    if (!inner) break;
    active = inner;
  }
  return active !== null && (active === el || (isHTML(el) && el.isContentEditable === true && within(el, active)));
}

function announce(el) {
  emit(el, new Event("input", { bubbles: true, composed: true }));
  emit(el, new Event("change", { bubbles: true }));
}

// assign gives a field that takes no keys its value.
function assign(n, value) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  const before = el.value;
  setter(HTMLInputElement.prototype, "value")(el, value);
  if (value !== "" && el.value === "") {
    setter(HTMLInputElement.prototype, "value")(el, before);
    return { state: "rejected", kind: el.type };
  }
  announce(el);
  return { state: "ok" };
}

// choose selects the option with the label or value: exactly, else without
// regard to case, else the only one that contains it.
function choose(n, wanted, append) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  const options = [...el.options].filter((o) => !o.disabled);
  const want = fold(wanted), low = want.toLowerCase();
  const label = (o) => fold(o.label);
  const partly = options.filter((o) => low && label(o).toLowerCase().includes(low));
  const found = options.find((o) => label(o) === want || o.value === wanted) ??
    options.find((o) => label(o).toLowerCase() === low) ?? (partly.length === 1 ? partly[0] : undefined);
  if (!found) return { state: "nooption", ...firstOf(options.map(label)) };
  if (!(append && el.multiple)) for (const o of el.options) if (o !== found) o.selected = false;
  found.selected = true;
  announce(el);
  return { state: "ok" };
}
