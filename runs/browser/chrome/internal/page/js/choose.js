// Check boxes, and lists to choose from, of HTML and of ARIA.

// switchOf is what holds the state of an element that can be checked, and how.
function switchOf(el) {
  const control = el instanceof HTMLLabelElement ? el.control ?? el : el;
  if (control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio")) {
    return { el: control, native: true, radio: control.type === "radio" };
  }
  for (const name of ["aria-checked", "aria-pressed", "aria-selected"]) {
    if (has(control, name)) return { el: control, name, radio: roleOf(control) === "radio" || roleOf(control) === "menuitemradio" };
  }
  if (["checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"].includes(roleOf(control))) {
    return { el: control, name: "aria-checked", radio: roleOf(control).endsWith("radio") };
  }
  const inner = find(control, "input[type=checkbox], input[type=radio]");
  return inner ? { el: inner, native: true, radio: inner.type === "radio" } : null;
}

const isOn = (s) => (s.native ? s.el.checked && !s.el.indeterminate : attr(s.el, s.name) === "true");

// checkState says whether the element is checked.
function checkState(n) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  const s = switchOf(el);
  if (!s) return { state: "uncheckable" };
  return { state: "ok", held: isOn(s), kind: s.radio ? "radio" : "check" };
}

// becomes waits until the element is checked, or not, for a time in ms. One that
// is gone has led somewhere.
async function becomes(n, want, ms) {
  for (const until = performance.now() + ms; ; await nextFrame()) {
    const el = elementOf(n);
    const s = el && switchOf(el);
    if (!s || isOn(s) === want) return { state: "ok", held: true };
    if (performance.now() >= until) return { state: "ok", held: false };
  }
}

const optionRoles = new Set(["option", "menuitem", "menuitemradio", "menuitemcheckbox", "treeitem", "gridcell"]);
const listRoles = new Set(["listbox", "menu", "tree", "grid", "radiogroup"]);

// listKind says how something is chosen from an element: "native" options,
// those of a list that is "open", or of one that has to be opened.
function listKind(n) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  if (disabled(el)) return { state: "disabled" };
  if (el instanceof HTMLSelectElement) return { state: "ok", kind: "native", held: el.multiple };
  if (el instanceof HTMLInputElement && el.list instanceof HTMLDataListElement) return { state: "ok", kind: "proposed" };
  const role = roleOf(el);
  const held = attr(el, "aria-multiselectable") === "true";
  if (listRoles.has(role)) return { state: "ok", kind: "open", held };
  const field = fieldIn(el);
  const editable = field && !(isField(field) && field.readOnly);
  return { state: "ok", kind: editable ? "filter" : "closed", held };
}

// fieldIn is the text field that el is or holds.
function fieldIn(el) {
  const typable = (e) => e instanceof HTMLInputElement && plainInputs.has(e.type) || e instanceof HTMLTextAreaElement;
  if (typable(el)) return el;
  const inner = find(el, "input");
  return inner && typable(inner) && seen(inner, { visibilityProperty: true }) ? inner : null;
}

// proposal is the value that a field's own list of proposals has for an option.
function proposal(n, wanted) {
  const el = elementOf(n);
  if (!el?.list) return { state: "stale" };
  const options = [...el.list.options].filter((o) => !o.disabled).map((o) => ({ label: fold(o.label), value: o.value }));
  const found = bestOf(options, wanted);
  return found ? { state: "ok", name: found.value } : { state: "nooption", ...firstOf(options.map((o) => o.label || o.value)) };
}

// expanded reports whether the element says that its list is open.
function expanded(n) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  return { state: "ok", held: [el, fieldIn(el)].some((e) => e && attr(e, "aria-expanded") === "true") };
}

// filterField is the field whose text filters the list.
function filterField(n, from) {
  next = Math.max(next, from);
  const el = elementOf(n);
  const field = el && fieldIn(el);
  return field ? { state: "ok", element: numberOf(field), next } : { state: "stale" };
}

// pause lets the page go on for a time.
const pause = (ms) => new Promise((resolve) => later(resolve, ms));

// shownList reports whether a list is seen.
const shownList = (e) => seen(e, { visibilityProperty: true, opacityProperty: true }) && rectOf(e).height > 0;

// allLists are the lists that are seen, of el's own shadow root, too.
function allLists(el) {
  const found = new Set();
  const look = (within) => {
    for (const e of allIn(within, "*")) {
      if (shadowOf(e)) look(shadowOf(e));
      if (listRoles.has(roleOf(e)) && !(e instanceof HTMLSelectElement) && shownList(e)) found.add(e);
    }
  };
  look(document);
  const root = rootOf(el);
  if (root instanceof ShadowRoot) look(root);
  return [...found];
}

// before is what could be chosen from when an element was about to open its list.
let before = null;

// noteLists notes what is there before an element opens its list: a list that names
// no owner belongs to what it has appeared for.
function noteLists(n) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  before = { el: new WeakRef(el), lists: new WeakSet(allLists(el).filter((l) => optionsIn(l).length > 0)) };
  return { state: "ok" };
}

// isPopup reports whether a list lies over what el is in.
function isPopup(list, el) {
  for (let e = list; isElement(e) && !within(el, e); e = shownParentOf(e)) {
    if (["absolute", "fixed"].includes(getComputedStyle(e).position)) return true;
  }
  return false;
}

// listsOf are the open lists that belong to el: itself, those that it names or
// holds, else those that have appeared since it was about to be opened. One that
// says that it is open, and was not opened here, has what pops up, if that is one.
function listsOf(el) {
  if (listRoles.has(roleOf(el))) return [el];
  const root = rootOf(el);
  const owned = [];
  for (const from of [el, fieldIn(el)].filter(Boolean)) {
    for (const name of ["aria-controls", "aria-owns"]) {
      for (const id of (attr(from, name) ?? "").split(/\s+/)) {
        const list = id && (root instanceof Document || root instanceof ShadowRoot) ? byIdIn(root, id) ?? byIdIn(document, id) : null;
        if (list && shownList(list)) owned.push(list);
      }
    }
  }
  if (owned.length > 0) return owned;
  const all = allLists(el);
  const inner = all.filter((e) => contains(el, e));
  if (inner.length > 0) return inner;
  if (before?.el.deref() === el) return all.filter((e) => !before.lists.has(e));
  const popups = all.filter((e) => optionsIn(e).length > 0 && isPopup(e, el));
  return popups.length === 1 && !contested(el) ? popups : [];
}

// contested reports whether another element, too, says that something of it is
// open, and not what.
function contested(el) {
  const own = [el, fieldIn(el)];
  return [...findAll(document, "[aria-expanded=true]:not([aria-controls]):not([aria-owns])")]
    .some((e) => !own.includes(e) && !contains(el, e) && !contains(e, el) && shownList(e));
}

// optionsIn are the options of a list that are shown, of those nested in it, too.
function optionsIn(list) {
  const found = [];
  const walk = (el, depth) => {
    if (depth > nestingLimit) return;
    for (const child of childrenOf(el)) {
      if (!isElement(child)) continue;
      if (optionRoles.has(roleOf(child)) && seen(child, { visibilityProperty: true })) found.push(child);
      walk(child, depth + 1);
    }
  };
  walk(list, 0);
  return found;
}

// suggested are the options of the lists of el, with their labels.
const suggested = (el) => listsOf(el).flatMap(optionsIn)
  .map((o) => ({ el: o, label: fold(nameOf(o, "option") || textOf(o)), value: attr(o, "data-value") ?? attr(o, "value") }));

// bestOf picks one of several by label or value, as choose does.
function bestOf(options, wanted) {
  const want = fold(wanted), low = want.toLowerCase();
  const partly = options.filter((o) => low && o.label.toLowerCase().includes(low));
  return options.find((o) => o.label === want || o.value === wanted) ??
    options.find((o) => o.label.toLowerCase() === low) ?? (partly.length === 1 ? partly[0] : undefined);
}

const isChosen = (el) => attr(el, "aria-selected") === "true" || attr(el, "aria-checked") === "true";

// firstOf are the first of the texts of options, and how many there are beside them.
const firstOf = (labels) => ({ options: labels.slice(0, 30).map((l) => cut(l, 60)), more: Math.max(0, labels.length - 30) });

// lookTime bounds the way through one list, in ms.
const lookTime = 8000;

// offered looks for an option in the open list of el, scrolling the list through
// where only a part of it is drawn. more is -1 where it was not seen to the end.
async function offered(n, wanted, from) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  next = Math.max(next, from);
  const labels = new Set();
  const until = performance.now() + lookTime;
  let ended = true;
  for (let tried = 0; ; tried++) {
    const options = suggested(el);
    for (const o of options) if (!disabled(o.el) && labels.size < 5000) labels.add(cut(o.label, 60));
    const found = bestOf(options.filter((o) => !disabled(o.el)), wanted);
    if (found) return { state: "ok", kind: "found", element: numberOf(found.el), held: isChosen(found.el), next };
    const list = listsOf(el)[0];
    const part = list && (scrolls(list, "y") ? list : insideOf(list, "y") ?? scrollerAbove(list));
    if (!part) break;
    const before = scrollTopOf(part);
    if (tried === 0) moveBy(part, { top: -1e9, behavior: "instant" });
    else moveBy(part, { top: clientHeightOf(part) * 0.8, behavior: "instant" });
    await nextFrame();
    await nextFrame();
    if (tried > 0 && scrollTopOf(part) === before) break;
    if (performance.now() > until) {
      ended = false;
      break;
    }
  }
  const known = firstOf([...labels]);
  return { state: "ok", kind: labels.size > 0 ? "other" : "none", ...known, more: ended ? known.more : -1, next };
}

const scrollerAbove = (list) => {
  const parent = shownParentOf(list);
  const found = parent && isElement(parent) ? scrollerAt(parent, "y") : null;
  return found === pageScroller() ? null : found;
};

// unwanted are the chosen options of a list that are to be given up.
function unwanted(n, wanted, from) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  next = Math.max(next, from);
  const options = suggested(el);
  const keep = new Set(wanted.map((w) => bestOf(options, w)?.el));
  return { state: "ok", elements: options.filter((o) => isChosen(o.el) && !keep.has(o.el)).map((o) => numberOf(o.el)), next };
}

// chooseAll selects options of a select element, those and no others.
function chooseAll(n, wanted) {
  const el = elementOf(n);
  if (!el) return { state: "stale" };
  const options = [...el.options].filter((o) => !o.disabled).map((o) => ({ el: o, label: fold(o.label), value: o.value }));
  const found = wanted.map((w) => bestOf(options, w));
  if (found.includes(undefined)) return { state: "nooption", ...firstOf(options.map((o) => o.label)) };
  if (!el.multiple && found.length !== 1) return { state: "single" };
  const keep = new Set(found.map((o) => o.el));
  for (const o of el.options) o.selected = keep.has(o);
  announce(el);
  return { state: "ok" };
}
