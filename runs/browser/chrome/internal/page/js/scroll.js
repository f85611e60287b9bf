// Scrolling the page and the parts of it that scroll by themselves.
const scrollTopOf = getter(Element.prototype, "scrollTop");
const scrollLeftOf = getter(Element.prototype, "scrollLeft");
const scrollHeightOf = getter(Element.prototype, "scrollHeight");
const scrollWidthOf = getter(Element.prototype, "scrollWidth");
const clientHeightOf = getter(Element.prototype, "clientHeight");
const clientWidthOf = getter(Element.prototype, "clientWidth");
const moveBy = bind(Element.prototype.scrollBy);
const allIn = (root, selector) =>
  bind((root instanceof Document ? Document : isElement(root) ? Element : DocumentFragment).prototype.querySelectorAll)(root, selector);

// pageScroller is what scrolls the document.
const pageScroller = () => getter(Document.prototype, "scrollingElement")(document) ?? rootElement();

const axes = { x: ["overflowX", scrollWidthOf, clientWidthOf], y: ["overflowY", scrollHeightOf, clientHeightOf] };

// scrolls reports whether el shows a part of what it holds, along an axis.
function scrolls(el, axis) {
  const [overflow, whole, part] = axes[axis];
  if (whole(el) - part(el) < 1) return false;
  if (el === pageScroller()) return getComputedStyle(el)[overflow] !== "hidden";
  return ["auto", "scroll", "overlay"].includes(getComputedStyle(el)[overflow]) && part(el) > 0;
}

// scrollerAt is el, or the nearest thing around it, that scrolls along the axis.
function scrollerAt(el, axis) {
  for (let n = el; isElement(n); n = shownParentOf(n)) if (scrolls(n, axis)) return n;
  return null;
}

// mainScroller is what scrolls when somebody scrolls the page: the document, or
// the largest part of it that is seen.
function mainScroller(axis) {
  const page = pageScroller();
  if (page && scrolls(page, axis)) return page;
  const middle = hitAt(innerWidth / 2, innerHeight / 2);
  const around = middle && scrollerAt(middle, axis);
  if (around) return around;
  let best = null, size = 0;
  const look = (root) => {
    for (const el of allIn(root, "*")) {
      if (shadowOf(el)) look(shadowOf(el));
      const area = clientWidthOf(el) * clientHeightOf(el);
      if (area > size && scrolls(el, axis) && seen(el, { visibilityProperty: true })) [best, size] = [el, area];
    }
  };
  look(document);
  return best;
}

const axisOf = (direction) => (direction === "left" || direction === "right" ? "x" : "y");

// scrollerFor finds what is to be scrolled: by an element, a point, or for the
// page. An element that does not scroll and has nothing around that does may
// hold something.
function scrollerFor(o) {
  const axis = axisOf(o.direction);
  if (o.element) {
    const el = elementOf(o.element);
    if (!el) return { state: "stale" };
    return { el: scrolls(el, axis) ? el : (insideOf(el, axis) ?? scrollerAt(el, axis) ?? mainScroller(axis)), over: el };
  }
  if (o.at) {
    const hit = hitAt(o.at.x, o.at.y);
    return { el: hit ? scrollerAt(hit, axis) : null, over: hit };
  }
  return { el: mainScroller(axis), over: null };
}

function insideOf(el, axis) {
  for (const inner of allIn(el, "*")) if (scrolls(inner, axis)) return inner;
  return null;
}

let scrolled = null; // what was scrolled last

// where is the place of something that scrolls.
function where(el) {
  const whole = pageScroller();
  const paged = !el || el === whole || el === rootElement();
  const at = paged ? whole : el;
  if (!at) return { above: 0, below: 0, before: 0, after: 0, width: innerWidth, height: innerHeight };
  const width = paged ? innerWidth : clientWidthOf(at), height = paged ? innerHeight : clientHeightOf(at);
  const x = Math.abs(scrollLeftOf(at)), y = Math.abs(scrollTopOf(at));
  const rest = (n) => Math.max(0, Math.round(n));
  return {
    above: rest(y), below: rest(scrollHeightOf(at) - y - clientHeightOf(at)),
    before: rest(x), after: rest(scrollWidthOf(at) - x - clientWidthOf(at)), width, height,
  };
}

const placeOf = (el) => el && [scrollLeftOf(el), scrollTopOf(el)].join();

// scroll moves something by an amount, and says where it is and whether it has
// moved. What does not scroll by itself, or lies at a point, may listen to the
// wheel: point is where to turn that, and turned tells what came of it.
async function scroll(o) {
  const found = scrollerFor(o);
  if (found.state) return found;
  const { el, over } = found;
  scrolled = new WeakRef(el ?? rootElement());
  const way = wayOf(o, el);
  const natural = o.at ? over : over && el !== over && !(el && contains(over, el)) && (await hearsAt(over, el)) ? over : null;
  if (natural && isElement(natural)) {
    watchWheel(el);
    return { state: "ok", moved: false, wheel: true, held: true, ...(o.at ?? shownPoint(over)), ...way };
  }
  const before = placeOf(el);
  if (el) moveBy(el, { left: way.left, top: way.top, behavior: "instant" });
  await nextFrame();
  const moved = Boolean(el) && placeOf(el) !== before;
  const kind = over && el && over !== el && !contains(over, el) ? "around" : "";
  return { state: "ok", moved, kind, wheel: !el, x: innerWidth / 2, y: innerHeight / 2, ...way };
}

// wayOf is how far to scroll, and how far to turn the wheel for that.
function wayOf(o, el) {
  const view = where(el);
  const far = o.pixels || o.pages * (axisOf(o.direction) === "x" ? view.width : view.height);
  const [left, top] = { up: [0, -far], down: [0, far], left: [-far, 0], right: [far, 0], top: [0, -1e9], bottom: [0, 1e9] }[o.direction];
  const bounded = (n) => Math.max(-5000, Math.min(5000, n));
  return { left, top, dx: bounded(left), dy: bounded(top) };
}

// hearsAt brings an element that does not scroll into view for the wheel, where it is
// the page that scrolls around it; in another part it may be out of view for good.
async function hearsAt(over, around) {
  if (!isElement(over)) return false;
  if (inView(over)) return true;
  if (around && around !== pageScroller()) return false;
  scrollTo(over, { block: "center", inline: "center", behavior: "instant" });
  await nextFrame();
  return Boolean(inView(over));
}

let wheeling = null;

// watchWheel looks at the next turn of the wheel. One that the page leaves to the
// browser is kept from it: what is around is scrolled by turned.
function watchWheel(el) {
  forgetWheel();
  const w = { seen: null, ours: false, el, before: placeOf(el) };
  w.first = (ev) => { if (ev.isTrusted) w.seen = ev; };
  w.last = (ev) => {
    if (!ev.isTrusted || ev.defaultPrevented) return;
    w.ours = true;
    ev.preventDefault();
  };
  listen(window, "wheel", w.first, { capture: true, passive: true });
  listen(window, "wheel", w.last, { passive: false });
  wheeling = w;
}

function forgetWheel() {
  if (!wheeling) return;
  unlisten(window, "wheel", wheeling.first, true);
  unlisten(window, "wheel", wheeling.last);
  wheeling = null;
}

// turned tells what the wheel has done: the page has heard it, or what is around the
// place was scrolled.
async function turned(o) {
  const w = wheeling;
  forgetWheel();
  await nextFrame();
  await nextFrame();
  if (!w) return { state: "ok", moved: false };
  if (!w.seen || (w.seen.defaultPrevented && !w.ours)) return { state: "ok", moved: true, kind: "heard" };
  if (w.ours && w.el && connected(w.el)) {
    const { left, top } = wayOf(o, w.el);
    moveBy(w.el, { left, top, behavior: "instant" });
    await nextFrame();
  }
  return { state: "ok", moved: Boolean(w.el) && placeOf(w.el) !== w.before, kind: o.element ? "around" : "" };
}

// seek scrolls again and again, for a time, until a text is on the page or nothing
// moves.
async function seek(o, text, ms) {
  const want = fold(text).toLowerCase();
  const until = performance.now() + ms;
  for (let moved = false; ; moved = true) {
    const now = await scroll(o);
    if (now.state !== "ok" || !now.moved) return moved ? { ...now, moved, wheel: false } : now;
    await nextFrame(); // for what a list draws then
    if (performance.now() >= until || holderOf(want)) return now;
  }
}

// whereNow is the place of what was scrolled last.
function whereNow() {
  const el = scrolled?.deref();
  return { state: "ok", ...where(el && connected(el) ? el : null) };
}

// reveal scrolls to the element.
async function reveal(n, still) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  return revealed(el, still);
}

async function revealed(el, still) {
  const before = boxOf(el);
  const around = shownParentOf(el);
  scrolled = new WeakRef((isElement(around) && scrollerAt(around, "y")) || pageScroller());
  scrollTo(el, { block: "center", inline: "nearest", behavior: "instant" });
  await standsStill(el, still);
  if (!connected(el)) return { state: "ok", moved: true }; // drawn anew by a list
  return { state: middleOf(el) ? "ok" : "hidden", moved: boxOf(el) !== before };
}

// revealText scrolls to the first place in the document where a text stands.
async function revealText(text, still) {
  const want = fold(text).toLowerCase();
  const found = holderOf(want);
  if (!found) return { state: "absent" };
  const shown = await revealed(found.el, still);
  const moved = found.node && connected(found.node) ? centre(found.node, want, found.el) : false;
  return { ...shown, moved: shown.moved || moved };
}

// centre scrolls on to where the text is in an element that is larger than what
// is seen.
function centre(node, want, el) {
  const range = new Range();
  range.selectNodeContents(node);
  const at = textValueOf(node).toLowerCase().indexOf(want);
  if (at >= 0) {
    range.setStart(node, at);
    range.setEnd(node, Math.min(at + want.length, textValueOf(node).length));
  }
  const rect = range.getBoundingClientRect();
  const scroller = scrollerAt(el, "y") ?? pageScroller();
  const view = scroller === pageScroller() ? { top: 0, bottom: innerHeight } : rectOf(scroller);
  if (rect.top >= view.top && rect.bottom <= view.bottom) return false;
  scrolled = new WeakRef(scroller);
  moveBy(scroller, { top: (rect.top + rect.bottom - view.top - view.bottom) / 2, behavior: "instant" });
  return true;
}

// holderOf is the innermost visible element with the text in it, the first one,
// and the text node that has it all, if one does.
function holderOf(want) {
  const look = (el, depth) => {
    if (depth > nestingLimit || silent.has(tagOf(el)) && isHTML(el)) return null;
    const style = getComputedStyle(el);
    if (style.display === "none") return null;
    for (const child of childrenOf(el)) {
      if (isElement(child)) {
        const found = bearing(child, want) && look(child, depth + 1);
        if (found) return found;
      } else if (isText(child) && fold(textValueOf(child)).toLowerCase().includes(want) && style.visibility === "visible") return { el, node: child };
    }
    return depth > 0 && style.visibility === "visible" && rectOf(el).height > 0 && textOf(el).toLowerCase().includes(want) ? { el } : null;
  };
  const root = rootElement();
  return root ? look(root, 0) : null;
}

const contentTextOf = getter(Node.prototype, "textContent");

// bearing reports whether the text may be somewhere in el: shadow roots and what
// is assigned to slots are looked into.
function bearing(el, want) {
  if (fold(contentTextOf(el)).toLowerCase().includes(want)) return true;
  if (shadowOf(el) || el instanceof HTMLSlotElement) return true;
  return allIn(el, "*").length < 5000 &&
    [...allIn(el, "*")].some((e) => shadowOf(e) || e instanceof HTMLSlotElement);
}
