// Where elements are in view.

// Edges are left, top, right and bottom, in this frame.
const edgesOf = (el) => {
  const r = rectOf(el);
  return [r.left, r.top, r.right, r.bottom];
};

const overlap = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];

// inView is what of el the window and the boxes around el do not cut away; null
// for nothing. What is fixed is cut by the window alone.
function inView(el) {
  let edges = overlap(edgesOf(el), [0, 0, innerWidth, innerHeight]);
  let fixed = false;
  for (let n = el, depth = 0; n && depth < nestingLimit; n = shownParentOf(n), depth++) {
    if (!isElement(n)) continue;
    const style = getComputedStyle(n);
    if (n !== el && !fixed && (style.overflowX !== "visible" || style.overflowY !== "visible") && n !== rootElement() && tagOf(n) !== "body") {
      edges = overlap(edges, edgesOf(n));
    }
    fixed ||= style.position === "fixed";
  }
  return edges[2] - edges[0] >= 1 && edges[3] - edges[1] >= 1 ? edges : null;
}

// drawnIn yields what shows what no snapshot has, shadow roots entered.
function* drawnIn(root, left) {
  for (const el of allIn(root, "*")) {
    if (left.n-- <= 0) return;
    const shadow = shadowOf(el);
    if (shadow) yield* drawnIn(shadow, left);
    if (["canvas", "video", "object", "embed"].includes(tagOf(el))) yield el;
  }
}

// places are those of elements by number. What there is too much of to look
// through is told as drawn as a whole.
function places(numbers) {
  const found = [];
  for (const n of numbers) {
    const el = elementOf(n);
    const drawn = el instanceof HTMLAreaElement ? pictureOf(el) : el;
    const edges = drawn && seen(drawn, { visibilityProperty: true, opacityProperty: true }) ? inView(el) : null;
    if (!edges) continue;
    const hit = hitAt((edges[0] + edges[2]) / 2, (edges[1] + edges[3]) / 2);
    found.push({ n, edges, covered: !hit || !reaches(hit, el) });
  }
  const left = { n: 50000 };
  const drawn = [];
  for (const el of drawnIn(document, left)) {
    const edges = inView(el);
    if (edges) drawn.push(edges);
  }
  if (left.n <= 0) drawn.push([0, 0, innerWidth, innerHeight]);
  return { found, drawn, width: innerWidth, height: innerHeight, left: scrollX, top: scrollY, ratio: devicePixelRatio, document: performance.timeOrigin };
}

// frameAt tells how points of a frame's document lie in this one.
function frameAt(n) {
  const el = elementOf(n);
  const edges = el ? inView(el) : null;
  return edges ? { edges, zero: outside(el, 0, 0), right: outside(el, 100, 0), far: outside(el, 100, 100) } : null;
}

// show scrolls to the element.
async function show(n) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  if (!inView(el) || edgesOf(el).join() !== inView(el).join()) scrollTo(el, { block: "center", inline: "center", behavior: "instant" });
  await standsStill(el, 1000);
  return { state: "ok" };
}
