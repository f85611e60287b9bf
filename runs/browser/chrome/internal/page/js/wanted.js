// What a walk lists even where a page has more elements than can be listed: what
// can be seen, wherever it stands in the document, and what has a text in it that
// is looked for.

// wantedOf are the elements of the walk that are wanted, with all around them: those
// at the points of a grid, however long it takes; then those that are quickly found;
// then, for as long as there is time, all.
function wantedOf(walk) {
  if (!walk.root) return new Set();
  const hits = hitsIn(walk.window), wanted = new Set(hits);
  const text = (walk.limits.find ?? "").toLowerCase();
  walk.wantedFrom = walk.spent = performance.now() - walk.began;
  visitWanted(walk, wanted, walk.root, walk.view, 0, { enters: (el, seen) => seen || hits.has(el), until: walk.limits.time * 0.2 });
  visitWanted(walk, wanted, walk.root, walk.view, 0, { enters: () => true, until: walk.limits.time * 0.3, text });
  return wanted;
}

// visitWanted adds what is wanted in el. It tells whether anything is, and whether
// anything says the text.
function visitWanted(walk, wanted, el, view, nesting, how) {
  if (nesting > nestingLimit) return [false, false];
  if (((walk.looks++ & 63) === 0) && (walk.spent = performance.now() - walk.began) > walk.limits.time) return [false, false];
  if (walk.spent > walk.wantedFrom + how.until) return [false, false];
  if (view !== walk.window && getComputedStyle(el).position === "fixed") view = walk.window;
  const r = rectOf(el);
  let any = (r.width > 0 && r.height > 0 && !outOf(view, r)) || el === walk.focus.active;
  let said = false; // by something in it
  if (holdsAny(el) && how.enters(el, any)) {
    const inner = clipOf(el, view);
    for (const child of childrenOf(el)) {
      if (!isElement(child)) continue;
      const [w, s] = visitWanted(walk, wanted, child, inner, nesting + 1, how);
      any ||= w;
      said ||= s;
    }
  }
  if (how.text && !said && says(el, how.text)) {
    said = true;
    for (const n of around(el)) wanted.add(n);
  }
  if (any || said) wanted.add(el);
  return [any || said, said];
}

const gridStep = 24, gridPoints = 2000;

// hitsIn are the elements at many points of a rectangle, with what they are in: what
// is drawn over a page may stand in something that has no size, or is far away.
function hitsIn([left, top, right, bottom]) {
  const hits = new Set();
  const from = [Math.max(left, 0), Math.max(top, 0)], to = [Math.min(right, innerWidth), Math.min(bottom, innerHeight)];
  const step = Math.max(gridStep, Math.sqrt(Math.max((to[0] - from[0]) * (to[1] - from[1]), 0) / gridPoints));
  for (let y = from[1] + step / 2; y < to[1]; y += step) {
    for (let x = from[0] + step / 2; x < to[0]; x += step) {
      for (const hit of hitsAt(document, x, y)) {
        for (let n = hit; n && !hits.has(n); n = shownParentOf(n)) hits.add(n);
      }
    }
  }
  return hits;
}

// clipOf is what can be seen of what is in an element.
function clipOf(el, view) {
  const tag = tagOf(el);
  if (childCount(el) === 0 || tag === "body" || tag === "html" || !overflowOf(el, getComputedStyle(el))) return view;
  return narrowed(view, el);
}

const saying = ["aria-label", "placeholder", "title", "alt"];

// says reports whether an element, with what is in it, has the text.
function says(el, text) {
  if (saying.some((name) => attr(el, name)?.toLowerCase().includes(text))) return true;
  if (isField(el)) return !isSecret(el) && String(el.value).toLowerCase().includes(text);
  return !silent.has(tagOf(el)) && childCount(el) <= 8 && fold(wholeTextOf(el)).toLowerCase().includes(text);
}

const rowLimit = 300;

// around is what is listed with an element that says something: its row, with its
// texts.
function around(el) {
  const row = closest(el, "tr,li,article,[role=row],[role=listitem],[role=treeitem],[role=option],[role=article]") ?? el;
  const all = allIn(row, "*");
  const whole = [row, el, ...(all.length <= rowLimit ? all : [])];
  return whole.flatMap((e) => [e, ...childrenOf(e).filter(isText)]);
}

// textInView reports whether a text can be seen.
function textInView(node, view) {
  if (!isText(node)) return false;
  const range = new Range();
  range.selectNodeContents(node);
  const r = rangeRect(range);
  return r.width > 0 && r.height > 0 && !outOf(view, r);
}
