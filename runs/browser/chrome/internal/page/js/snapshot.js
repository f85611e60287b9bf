// What is told of an element that a walk lists.
const valued = new Set("textbox searchbox combobox spinbutton slider progressbar meter scrollbar".split(" "));

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

function describeItem(el, role, depth, focus, tells = true) {
  const item = { role, name: onlyNamed.has(role) && role === "generic" ? fold((tells && attr(el, "aria-label")) || "") : nameOf(el, role, tells), depth };
  if (role === "heading") item.level = Number(attr(el, "aria-level") ?? /^h([1-6])$/.exec(tagOf(el))?.[1] ?? 2) || 2;
  if (role === "treeitem") item.level = Number(attr(el, "aria-level")) || 0;
  if (role === "link") item.url = linkOf(el);
  const states = statesOf(el, role, focus, tells);
  if (states.length > 0) item.states = states;
  if (isField(el) || valued.has(role)) fieldOf(el, role, item);
  if (role === "canvas" && !item.name) item.description = fallbackOf(el);
  if (tells || isField(el)) describe(el, item);
  if (!item.name && !isField(el)) item.name = otherName(el, role);
  if (revealing.has(el) && !item.states?.includes("haspopup")) (item.states ??= []).push("haspopup");
  return item;
}

// otherName is that of an element without a text.
function otherName(el, role) {
  if (!isHTML(el)) return titleChild(el);
  return namedByContent.has(role) && role !== "heading" ? madeUp(el) : "";
}

// rich is what an editor holds beside text.
const rich = "a[href],button,input,select,textarea,h1,h2,h3,h4,h5,h6,table,details,iframe,canvas,video,[role],[tabindex],[onclick],[contenteditable]";
const richValueLimit = 200;

// innardsOf says what is listed of what is in an item: all, what acts, or nothing.
// What an editor holds is its value, and stands below where that is not all.
function innardsOf(el, role, item) {
  if (role === "img") return tagOf(el) === "svg" && !has(el, "role") ? "all" : "acts";
  if (role !== "textbox" && role !== "searchbox") return "all";
  if (!isHTML(el) || !isEditingHost(el)) return "acts";
  if (!find(el, rich) && item.value.length <= valueLimit) return "nothing";
  item.value = cut(item.value, richValueLimit);
  return "all";
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
  item.value = cut(valueOf(el, role), valueLimit);
  if (ranges.has(role) || (el instanceof HTMLInputElement && has(el, "min") + has(el, "max") > 0)) rangeOf(el, role, item);
  optionsOf(el, item);
}

// valueOf is what a field shows.
function valueOf(el, role) {
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
  return attr(el, "aria-valuetext") ?? attr(el, "aria-valuenow") ?? (writes(el, role) ? textOf(el, null, false, Infinity) : "");
}

// writes reports whether an element that is no field shows what was written in it.
const writes = (el, role) => role === "textbox" || role === "searchbox" || (isHTML(el) && isEditingHost(el));

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
// limits.next is the first free number. The items are text: to hand over
// thousands of objects one by one takes longer than the walk.
function snapshot(limits) {
  next = Math.max(next, limits.next);
  for (const [n, ref] of elements) if (!ref.deref()) elements.delete(n);
  const root = limits.root ? elementOf(limits.root) : rootElement();
  if (!root && limits.root) return { stale: true };
  const walk = new Walk(limits, root);
  if (root) walk.element(root, 0, false, false);
  return {
    items: JSON.stringify(walk.items), size: walk.size, truncated: walk.truncated, left: walk.left, next, scroll: pageScroll(), suspects: suspects.length,
    roots: newRoots.length,
  };
}
