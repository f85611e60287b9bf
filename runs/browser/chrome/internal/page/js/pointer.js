// Where the pointer goes: over elements, from one to another.

// hovered reports whether the pointer is over the element.
function hovered(n) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  return { state: matches(el, ":hover") ? "ok" : "missed" };
}

// aim brings the element into view and says where it is, whatever covers it.
async function aim(n, framed, still, at) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  if (framed || !shownPoint(el, at)) await bringIntoView(el, framed, still, at);
  return spot(n, at);
}

// spot says where the element is now.
function spot(n, at) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  const point = shownPoint(el, at);
  return point ? { state: "ok", ...point } : { state: "hidden" };
}

// shownPoint is pointIn where that is not cut away by a part that scrolls; else the
// middle of what is left, if anything is.
function shownPoint(el, at) {
  const edges = inView(el);
  if (!edges) return null;
  const point = pointIn(el, at);
  const [left, top, right, bottom] = edges;
  if (point && point.x >= left && point.x <= right && point.y >= top && point.y <= bottom) return point;
  return at ? null : { x: (left + right) / 2, y: (top + bottom) / 2 };
}

// spotOutside translates a point inside a frame into one outside.
function spotOutside(n, x, y, scrolls) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  let point = outside(el, x, y);
  if (!inWindow(point) && scrolls) {
    scrollBy({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: "instant" });
    point = outside(el, x, y);
  }
  return inWindow(point) ? { state: "ok", ...point } : { state: "hidden" };
}

// grip is where an element is taken hold of: a slider by its thumb, everything
// else in the middle, which is no place of its own.
function grip(n) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  if (!(el instanceof HTMLInputElement) || el.type !== "range") return { state: "ok" };
  const rect = rectOf(el);
  if (rect.width < rect.height) return { state: "ok" };
  const min = Number(el.min || 0), max = Number(el.max || 100);
  const share = max > min ? (el.valueAsNumber - min) / (max - min) : 0;
  const thumb = Math.min(16, rect.height || 16, rect.width);
  const along = thumb / 2 + share * (rect.width - thumb);
  const rtl = getComputedStyle(el).direction === "rtl";
  return { state: "ok", kind: "thumb", x: rtl ? rect.width - along : along, y: rect.height / 2 };
}

// The beginning of a drag and drop that the page leaves to the browser. Text that
// is selected in a field is not dragged: it may be of a kind that does not leave
// its document.
let dragged = null;

function isWritten(node) {
  const el = isElement(node) ? node : shownParentOf(node);
  return isElement(el) && (isField(el) || (el !== node && isHTML(el) && el.isContentEditable === true));
}

function watchDrag() {
  forgetDrag();
  const seen = { event: null };
  seen.listener = (ev) => {
    if (!ev.isTrusted) return;
    seen.event = ev;
    if (isWritten(pathOf(ev)[0])) ev.preventDefault();
  };
  listen(window, "dragstart", seen.listener, true);
  dragged = seen;
}

function forgetDrag() {
  if (dragged) unlisten(window, "dragstart", dragged.listener, true);
  dragged = null;
}

// dragBegan reports whether one has begun.
const dragBegan = () => Boolean(dragged?.event && !dragged.event.defaultPrevented);

// describeAt says what is at a point of this document: its role and name, and,
// where it is a frame, its number and the point in it.
function describeAt(x, y, from) {
  next = Math.max(next, from);
  const hit = hitAt(x, y);
  if (!hit) return { state: "ok", next };
  const tag = tagOf(hit);
  if (isHTML(hit) && (tag === "iframe" || tag === "frame")) {
    const number = numberOf(hit);
    return { state: "ok", kind: "frame", frame: number, ...inside(hit, x, y), next };
  }
  for (let el = hit; isElement(el); el = shownParentOf(el)) {
    const role = roleOf(el);
    const name = role ? nameOf(el, role) || (namedByContent.has(role) || leaves.has(role) ? textOf(el) : "") : "";
    if (role && (name || canAct(el, role))) return { state: "ok", role, name: cut(name, 200), next };
    if (el !== hit && canAct(el, role)) return { state: "ok", role: role || "generic", name: cut(textOf(el), 200), next };
  }
  const own = [...childrenOf(hit)].some((n) => isText(n) && fold(textValueOf(n)) !== "");
  return { state: "ok", role: "", name: own ? cut(textOf(hit), 100) : "", next };
}
