// The walk over the visible page. Elements that can be acted on get a number
// that stays theirs for as long as they live: numbers are handed out by the
// host, across all frames and pages of a session, and never twice.
const numbers = new WeakMap();
const elements = new Map();
let next = 0;

function numberOf(el) {
  let n = numbers.get(el);
  if (!n) {
    n = next++;
    numbers.set(el, n);
    elements.set(n, new WeakRef(el));
  }
  return n;
}

// elementOf is the element with the number; null once it has left the page.
function elementOf(n) {
  const el = elements.get(n)?.deref();
  return el && connected(el) ? el : null;
}

const valued = new Set("textbox searchbox combobox spinbutton slider progressbar meter scrollbar".split(" "));

class Walk {
  constructor(limits) {
    this.items = [];
    this.limits = limits;
    this.size = 0;
    this.nesting = 0;
    this.until = performance.now() + limits.time;
    this.truncated = false;
    this.joinable = false; // the last item is text that may go on
    this.window = windowOf(limits.view);
    this.view = this.window; // what can be seen of where the walk is
    this.focus = focusNow();
    this.modals = [...findAll(document, "dialog:modal")];
  }

  full() {
    const { elements, text } = this.limits;
    if (this.items.length >= elements || this.size >= text || this.nesting > nestingLimit || performance.now() > this.until) {
      this.truncated = true;
    }
    return this.truncated;
  }

  push(item) {
    for (const text of [item.name, item.value, item.url, item.description, item.error]) this.size += (text ?? "").length;
    for (const option of item.options ?? []) this.size += option.length;
    this.items.push(item);
    this.joinable = item.role === "text";
  }

  text(node, depth) {
    const raw = textValueOf(node);
    const text = fold(raw);
    const spaceBefore = /^[\s\u00a0]/.test(raw), spaceAfter = /[\s\u00a0]$/.test(raw);
    const last = this.items.at(-1);
    if (!text) {
      if (this.joinable) this.gap ||= raw.length > 0;
      return;
    }
    if (this.joinable && last.depth === depth) {
      last.name += (this.gap || spaceBefore ? " " : "") + text;
      this.size += text.length + 1;
    } else {
      const item = { role: "text", name: text, depth };
      const parent = shownParentOf(node);
      if (isElement(parent)) this.put(item, rectOf(parent));
      this.push(item);
    }
    this.gap = spaceAfter;
  }

  // break ends a run of text, as the edge of a block does.
  break() {
    this.joinable = false;
    this.gap = false;
  }

  children(el, depth, quiet, pointer, noText = quiet) {
    if (this.below(depth)) return;
    this.nesting++;
    for (const child of contentOf(el, getComputedStyle(el))) {
      if (this.full()) break;
      if (isElement(child)) this.element(child, depth, quiet, pointer);
      else if (isText(child) && !noText) this.text(child, depth);
    }
    this.nesting--;
  }

  // below reports whether a level is below those that are listed.
  below(depth) {
    return this.limits.levels > 0 && depth >= this.limits.levels;
  }

  element(el, depth, quiet, pointer) {
    const tag = tagOf(el);
    if (isHTML(el) && silent.has(tag) && !(tag === "object" || tag === "video" || tag === "audio" || tag === "canvas")) return;
    const style = getComputedStyle(el);
    if (style.display === "none") return;
    suspect(el, tag);
    const visible = rendered(el, style, { visibilityProperty: true, opacityProperty: true });
    const block = !inlineDisplay.test(style.display);
    if (block || tag === "br") this.break();
    const points = style.cursor === "pointer" && style.pointerEvents !== "none";
    if (visible) this.framed(el, tag, style, depth, quiet, points && !pointer, points);
    else this.unseen(el, depth, quiet, points);
    if (block) this.break();
  }

  // unseen handles what is there without showing: a field that styling has
  // made transparent can still be clicked, and visibility may be set again
  // further down.
  unseen(el, depth, quiet, pointer) {
    if (isField(el) && rectOf(el).width > 0 && seen(el, { visibilityProperty: true })) return this.shown(el, depth, quiet, false, pointer, { view: this.view });
    if (!isField(el)) this.children(el, depth, quiet, pointer, true);
  }

  // framed notes what of el's content can be seen while the walk is in there.
  framed(el, tag, style, depth, quiet, startsPointer, pointer) {
    const outer = this.view;
    if (outer !== this.window && style.position === "fixed") this.view = this.window;
    const over = tag === "body" || tag === "html" || isField(el) ? null : overflowOf(el, style);
    this.shown(el, depth, quiet, startsPointer, pointer, { view: over ? narrowed(this.view, el) : this.view, scroll: over?.scroll });
    this.view = outer;
  }

  shown(el, depth, quiet, startsPointer, pointer, room) {
    const role = roleOf(el);
    const proxied = tagOf(el) === "label" ? hiddenControlOf(el) : null;
    if (proxied) return this.proxy(el, proxied, depth);
    const acts = canAct(el, role) || (room.scroll && !quiet) || heeds(el, tagOf(el));
    const listed = role || acts || startsPointer;
    if (!listed || (quiet && !acts)) {
      this.view = room.view;
      return this.children(el, depth, quiet || namesField(el), pointer);
    }
    this.listed(el, role || "generic", acts || startsPointer, depth, quiet, pointer, room);
  }

  listed(el, role, acts, depth, quiet, pointer, room) {
    const item = describeItem(el, role, depth, this.focus);
    if (acts && !this.inert(el)) item.ref = numberOf(el);
    if (room.scroll) item.scroll = room.scroll;
    const at = this.items.length, rect = rectOf(el);
    this.put(item, rect);
    this.push(item);
    if (isField(el) || role === "textbox" || role === "img" || role === "canvas") return;
    if (role === "iframe") return this.frame(el, item, rect);
    this.view = room.view;
    this.children(el, depth + 1, quiet || namedByContent.has(role), pointer);
    if (!this.below(depth + 1)) this.tidy(item, at);
    this.joinable = false;
  }

  // frame says where the content of a frame is, and what can be seen of it.
  frame(el, item, rect) {
    item.frame = numberOf(el);
    const [x, y, scaleX, scaleY] = innerBox(el);
    if (this.limits.boxes) item.inside = [x, y, scaleX, scaleY];
    const [left, top, right, bottom] = narrowed(this.view, el);
    item.view = outOf(this.view, rect) === "above" ? [1e9, 1e9, 1e9, 1e9] :
      [(left - x) / scaleX, (top - y) / scaleY, (right - x) / scaleX, (bottom - y) / scaleY];
  }

  inert(el) {
    return inert(el) || (this.modals.length > 0 && !this.modals.some((m) => within(el, m)));
  }

  // tidy lets an item stand for the one text in it, and drops an item that
  // says nothing.
  tidy(item, at) {
    const inside = this.items.length - at - 1;
    const only = this.items[at + 1];
    if (inside === 1 && only.role === "text" && leaves.has(item.role) && (!item.name || item.name === only.name)) {
      item.name = only.name;
      this.items.pop();
      return;
    }
    const empty = !item.name && !item.ref && (inside === 0 || onlyNamed.has(item.role));
    if (!empty || ["separator", "progressbar", "meter"].includes(item.role)) return;
    this.items.splice(at, 1);
    for (let i = at; i < this.items.length; i++) this.items[i].depth--;
  }

  proxy(label, control, depth) {
    const item = describeItem(control, roleOf(control), depth, this.focus);
    item.name ||= textOf(label);
    item.ref = numberOf(label);
    this.put(item, rectOf(label));
    this.push(item);
  }

  // put says where an item is: its box if that is asked for, and on which side of
  // what can be seen.
  put(item, rect) {
    if (item.role !== "text" && (this.limits.boxes || item.role === "canvas")) item.box = [rect.left, rect.top, rect.width, rect.height];
    const out = outOf(this.view, rect);
    if (out) item.out = out;
  }
}

// hiddenControlOf is the check box, radio button or file input that the label
// stands for because styling has taken it from sight.
function hiddenControlOf(label) {
  const control = label.control;
  if (!(control instanceof HTMLInputElement) || !["checkbox", "radio", "file"].includes(control.type)) return null;
  const rect = rectOf(control);
  const shown = seen(control, { visibilityProperty: true, opacityProperty: true }) && rect.width > 1 && rect.height > 1;
  return shown ? null : control;
}

// namesField reports whether the text of el is told as the name of a field.
const namesField = (el) => el instanceof HTMLLabelElement && el.control !== null && isField(el.control);

function canAct(el, role) {
  if (actionRoles.has(role)) return true;
  if (has(el, "onclick") || has(el, "onmousedown")) return true;
  if (attr(el, "draggable") === "true") return true;
  const tabindex = attr(el, "tabindex");
  return tabindex !== null && /^\s*\+?\d/.test(tabindex) && role !== "tabpanel";
}

const inert = (el) => matches(el, ":is([inert], [inert] *)");

function describeItem(el, role, depth, focus) {
  const item = { role, name: onlyNamed.has(role) && role === "generic" ? fold(attr(el, "aria-label") ?? "") : nameOf(el, role), depth };
  if (role === "heading") item.level = Number(attr(el, "aria-level") ?? /^h([1-6])$/.exec(tagOf(el))?.[1] ?? 2) || 2;
  if (role === "treeitem") item.level = Number(attr(el, "aria-level")) || 0;
  if (role === "link") item.url = linkOf(el);
  const states = statesOf(el, role, focus);
  if (states.length > 0) item.states = states;
  if (isField(el) || valued.has(role)) fieldOf(el, role, item);
  if (role === "canvas" && !item.name) item.description = fallbackOf(el);
  describe(el, item);
  return item;
}

const urlLimit = 2000;

// linkOf is where a link leads on the web; scripts and data are left out.
function linkOf(el) {
  const href = el instanceof HTMLAnchorElement || el instanceof HTMLAreaElement ? el.href : "";
  return /^(https?|mailto|tel|ftp):/i.test(href) && href.length <= urlLimit ? href : "";
}

const valueLimit = 2000;

function fieldOf(el, role, item) {
  item.placeholder = cut(fold(attr(el, "placeholder") ?? attr(el, "aria-placeholder") ?? ""), valueLimit);
  if (el instanceof HTMLInputElement) item.type = el.type;
  item.value = cut(valueOf(el), valueLimit);
  if (ranges.has(role) || (el instanceof HTMLInputElement && has(el, "min") + has(el, "max") > 0)) rangeOf(el, role, item);
  optionsOf(el, item);
}

// valueOf is what a field shows.
function valueOf(el) {
  if (isSecret(el)) return "";
  if (el instanceof HTMLSelectElement) return [...el.selectedOptions].map((o) => fold(o.label)).join(", ");
  if (el instanceof HTMLInputElement) {
    if (["checkbox", "radio", "button", "submit", "reset", "image"].includes(el.type)) return "";
    if (el.type === "file") return [...(el.files ?? [])].map((f) => f.name).join(", ");
    return el.value;
  }
  if (el instanceof HTMLTextAreaElement) return el.value;
  if (el instanceof HTMLProgressElement) return el.position < 0 ? "" : String(el.value);
  if (el instanceof HTMLMeterElement) return String(el.value);
  return attr(el, "aria-valuetext") ?? attr(el, "aria-valuenow") ?? (isHTML(el) && isEditingHost(el) ? textOf(el) : "");
}

// innerBox is where the content of a frame's element begins in the window
// around it, and how much larger it is there.
function innerBox(el) {
  const at = outside(el, 0, 0), far = outside(el, 100, 100);
  return [at.x, at.y, (far.x - at.x) / 100, (far.y - at.y) / 100];
}

function frameInside(n) {
  const el = elementOf(n);
  return el ? innerBox(el) : null;
}

// snapshot walks this frame, or what is in the element limits.root.
// limits.next is the first free number.
function snapshot(limits) {
  next = Math.max(next, limits.next);
  for (const [n, ref] of elements) if (!ref.deref()) elements.delete(n);
  const root = limits.root ? elementOf(limits.root) : rootElement();
  if (!root && limits.root) return { stale: true };
  const walk = new Walk(limits);
  if (root) walk.element(root, 0, false, false);
  return { items: walk.items, size: walk.size, truncated: walk.truncated, next, scroll: pageScroll(), suspects: suspects.length };
}
