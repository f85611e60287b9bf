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

const visibility = { visibilityProperty: true }, opacity = { visibilityProperty: true, opacityProperty: true };

// drawnTags are silent, and shown all the same.
const drawnTags = new Set(["object", "video", "audio", "canvas"]);
const unseenInSVG = new Set("defs symbol clipPath mask pattern marker linearGradient radialGradient filter metadata desc".split(" "));

class Walk {
  constructor(limits, root) {
    this.items = [];
    this.limits = limits;
    this.root = root;
    this.size = 0;
    this.nesting = 0;
    this.began = performance.now();
    this.spent = 0; // ms, looked at now and then
    this.looks = 0;
    this.truncated = false;
    this.left = 0; // elements that are not listed
    this.wantedFrom = 0; // ms, when it was begun to be looked for
    this.wanted = null; // what is listed beyond the limits; see wantedOf
    this.rows = new Set(); // elements that something around them listens for
    this.holder = null; // the item that the walk is in
    this.joinable = false; // the last item is text that may go on
    this.window = windowOf(limits.view);
    this.view = this.window; // what can be seen of where the walk is
    this.focus = focusNow();
    this.modals = [...findAll(document, "dialog:modal")];
    readStyles();
  }

  // full reports whether nothing more can be listed, whatever it is.
  full() {
    const { most, mostText, time } = this.limits;
    if ((this.looks++ & 63) === 0) this.spent = performance.now() - this.began;
    if (this.items.length < most && this.size < mostText && this.spent < time) return false;
    return this.truncated = true;
  }

  // beyond reports whether only that is listed which is wanted.
  beyond() {
    if (this.wanted) return true;
    const { elements, text, time } = this.limits;
    if (this.items.length < elements && this.size < text && this.spent < time * 0.4) return false;
    this.wanted = wantedOf(this);
    return true;
  }

  // leaveOut counts what is not listed, there where it is.
  leaveOut(node) {
    if (!isElement(node) || !seen(node, visibility)) return;
    const n = 1 + allIn(node, "*").length;
    this.left += n;
    this.truncated = true;
    if (this.holder) this.holder.left = (this.holder.left ?? 0) + n;
  }

  push(item) {
    for (const text of [item.name, item.value, item.url, item.description, item.error]) if (text) this.size += text.length;
    if (item.options) for (const option of item.options) this.size += option.length;
    this.items.push(item);
    this.joinable = item.role === "text";
  }

  text(raw, parent, depth) {
    const text = fold(raw);
    if (!text) {
      if (this.joinable) this.gap ||= raw.length > 0;
      return;
    }
    const spaced = text.length !== raw.length;
    const last = this.items.at(-1);
    if (this.joinable && last.depth === depth && last.name.length < this.limits.text) {
      last.name += (this.gap || (spaced && /^[\s\u00a0]/.test(raw)) ? " " : "") + text;
      this.size += text.length + 1;
    } else {
      const item = { role: "text", name: text, depth };
      if (isElement(parent)) {
        this.put(item, this.rect(parent));
        if (this.limits.all && !this.inert(parent)) item.ref = numberOf(parent);
      }
      this.push(item);
    }
    this.gap = spaced && /[\s\u00a0]$/.test(raw);
  }

  // rect is the box of an element, which is asked for several times in a row.
  rect(el) {
    if (this.measured !== el) [this.measured, this.box] = [el, rectOf(el)];
    return this.box;
  }

  // break ends a run of text, as the edge of a block does.
  break() {
    this.joinable = false;
    this.gap = false;
  }

  children(el, style, depth, quiet, pointer, noText = quiet) {
    if (this.below(depth) || !(holdsAny(el) || generated.has(el))) return;
    if (this.nesting > nestingLimit) return this.leaveOut(el);
    this.nesting++;
    noteRoot(el);
    const made = !noText && generated.has(el);
    if (made) this.text(generatedOf(el, "::before"), el, depth);
    for (const child of contentOf(el, style)) {
      if (this.full()) break;
      const element = isElement(child);
      if (this.beyond() && !this.wanted.has(child) && (element || noText || !textInView(child, this.view))) this.leaveOut(child);
      else if (element) this.element(child, depth, quiet, pointer);
      else if (!noText && isText(child)) this.text(textValueOf(child), shownParentOf(child), depth);
    }
    if (made) this.text(generatedOf(el, "::after"), el, depth);
    this.nesting--;
  }

  // below reports whether a level is below those that are listed.
  below(depth) {
    return this.limits.levels > 0 && depth >= this.limits.levels;
  }

  element(el, depth, quiet, pointer) {
    const tag = tagOf(el);
    if (silent.has(tag) ? isHTML(el) && !drawnTags.has(tag) : unseenInSVG.has(tag)) return;
    const style = getComputedStyle(el), display = style.display;
    if (display === "none") return;
    suspect(el, tag);
    const visible = display === "contents" ? style.visibility === "visible" : seen(el, opacity);
    const block = !inlineDisplay.test(display);
    if (block || tag === "br") this.break();
    const points = style.cursor === "pointer" && style.pointerEvents !== "none";
    if (visible) this.framed(el, tag, style, depth, quiet, points && !pointer, points);
    else this.unseen(el, style, depth, quiet, points);
    if (block) this.break();
    if (visible && tag === "img" && has(el, "usemap")) this.areas(el, depth, quiet);
  }

  // areas are the parts of a picture that lead somewhere.
  areas(img, depth, quiet) {
    for (const area of areasOf(img)) {
      const role = roleOf(area), acts = !this.inert(area);
      if (quiet && !acts) continue;
      const item = describeItem(area, role || "generic", depth, this.focus);
      item.name ||= fold(attr(area, "alt") ?? "");
      if (acts) item.ref = numberOf(area);
      this.put(item, rectOf(area));
      this.push(item);
    }
  }

  // unseen handles what is there without showing: a field that styling has
  // made transparent can still be clicked, and visibility may be set again
  // further down.
  unseen(el, style, depth, quiet, pointer) {
    if (!isField(el)) return this.children(el, style, depth, quiet, pointer, true);
    if (rectOf(el).width > 0 && seen(el, visibility)) this.shown(el, style, depth, quiet, false, pointer, { view: this.view });
  }

  // framed notes what of el's content can be seen while the walk is in there.
  framed(el, tag, style, depth, quiet, startsPointer, pointer) {
    const outer = this.view;
    if (outer !== this.window && style.position === "fixed") this.view = this.window;
    const over = tag === "body" || tag === "html" || isField(el) ? null : overflowOf(el, style);
    this.shown(el, style, depth, quiet, startsPointer, pointer, { view: over ? narrowed(this.view, el) : this.view, scroll: over?.scroll });
    this.view = outer;
  }

  shown(el, style, depth, quiet, startsPointer, pointer, room) {
    const tells = saysSomething(el);
    const role = roleOf(el, tells), tag = tagOf(el);
    const proxied = tag === "label" ? hiddenControlOf(el) : null;
    if (proxied) return this.proxy(el, proxied, depth);
    const acts = actionRoles.has(role) || (tells && canAct(el, role)) || (room.scroll && !quiet) || heeds(el, tag, this.rows) ||
      this.rows.has(el) || revealing.has(el);
    const listed = role || acts || startsPointer;
    if (!listed || (quiet && !acts)) {
      this.view = room.view;
      return this.children(el, style, depth, quiet || namesField(el), pointer);
    }
    this.listed(el, style, role || "generic", acts || startsPointer, depth, quiet, pointer, room, tells);
  }

  listed(el, style, role, acts, depth, quiet, pointer, room, tells) {
    const item = describeItem(el, role, depth, this.focus, tells);
    const named = (acts || this.limits.all) && !this.inert(el);
    if (named) item.ref = numberOf(el);
    if (room.scroll) item.scroll = room.scroll;
    const at = this.items.length, rect = this.rect(el);
    this.put(item, rect);
    this.push(item);
    if (isField(el) || role === "canvas") return;
    if (role === "iframe") return this.frame(el, item, rect);
    const within = innardsOf(el, role, item);
    if (within === "nothing") return;
    this.view = room.view;
    const holder = this.holder;
    this.holder = item;
    this.children(el, style, depth + 1, quiet || within === "acts" || namedByContent.has(role), pointer);
    this.holder = holder;
    if (item.left > 0 && !this.inert(el)) item.ref ??= numberOf(el); // so that it can be looked at
    if (!this.below(depth + 1)) this.tidy(item, at, acts && named);
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
  tidy(item, at, acts) {
    const inside = this.items.length - at - 1;
    const only = this.items[at + 1];
    if (inside === 1 && only.role === "text" && leaves.has(item.role) && (!item.name || item.name === only.name)) {
      item.name = only.name;
      this.items.pop();
      return;
    }
    const empty = !item.name && !acts && !item.left && (inside === 0 || onlyNamed.has(item.role));
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
