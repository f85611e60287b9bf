// What a walk lists even where a page has more elements than can be listed: what
// can be seen, wherever it stands in the document, and what has a text in it that
// is looked for.

// wantedOf are the elements of the walk that are wanted, with all around them.
function wantedOf(walk) {
  const wanted = new Set();
  const text = (walk.limits.find ?? "").toLowerCase();
  const visit = (el, view, nesting) => {
    if (nesting > nestingLimit || ((walk.looks++ & 63) === 0 && performance.now() - walk.began > walk.limits.time)) return [false, false];
    if (view !== walk.window && getComputedStyle(el).position === "fixed") view = walk.window;
    const r = rectOf(el);
    let any = (r.width > 0 && r.height > 0 && !outOf(view, r)) || el === walk.focus.active;
    let said = false; // by something in it
    const inner = clipOf(el, view);
    for (const child of holdsAny(el) ? childrenOf(el) : []) {
      if (!isElement(child)) continue;
      const [w, s] = visit(child, inner, nesting + 1);
      any ||= w;
      said ||= s;
    }
    if (text && !said && says(el, text)) {
      said = true;
      for (const n of around(el)) wanted.add(n);
    }
    if (any || said) wanted.add(el);
    return [any || said, said];
  };
  if (walk.root) visit(walk.root, walk.view, 0);
  return wanted;
}

// clipOf is what can be seen of what is in an element.
function clipOf(el, view) {
  if (!firstChildOf(el) || (scrollSize[1](el) <= clientSize[1](el) + 1 && scrollSize[0](el) <= clientSize[0](el) + 1)) return view;
  const tag = tagOf(el);
  if (tag === "body" || tag === "html" || !overflowOf(el, getComputedStyle(el))) return view;
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
