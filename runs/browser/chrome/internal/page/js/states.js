// States, values and descriptions of elements.
const isTrue = (el, name) => attr(el, name) === "true";

// given reports whether an attribute says something else than no.
function given(el, name) {
  const value = attr(el, name);
  return value !== null && value !== "" && value !== "false";
}

const disabled = (el) => matches(el, ":disabled") || attr(el, "aria-disabled") === "true";

function checked(el) {
  if (el instanceof HTMLInputElement && (el.type === "checkbox" || el.type === "radio")) return el.checked;
  return isTrue(el, "aria-checked");
}

function mixed(el) {
  if (el instanceof HTMLInputElement && el.type === "checkbox" && el.indeterminate) return true;
  return attr(el, "aria-checked") === "mixed" || attr(el, "aria-pressed") === "mixed";
}

// expansion is true or false for what opens something, else null.
function expansion(el) {
  const said = attr(el, "aria-expanded");
  if (said === "true" || said === "false") return said === "true";
  if (tagOf(el) === "summary") {
    const details = parentOf(el);
    return details instanceof HTMLDetailsElement ? details.open : null;
  }
  if (el instanceof HTMLButtonElement || el instanceof HTMLInputElement) {
    const target = has(el, "popovertarget") ? el.popoverTargetElement : null;
    return target ? matches(target, ":popover-open") : null;
  }
  return null;
}

const invalid = (el) => given(el, "aria-invalid") || (isField(el) && matches(el, ":user-invalid"));

const sorts = { __proto__: null, ascending: "ascending", descending: "descending" };

// stateTags are those of elements that have states without attributes that say so.
const stateTags = new Set("input textarea select button summary option optgroup fieldset dialog".split(" "));

// statesOf are words of a closed set, which the host knows.
function statesOf(el, role, focus, tells = true) {
  const words = [];
  const add = (on, word) => { if (on) words.push(word); };
  if (!tells && !stateTags.has(tagOf(el))) {
    add(el === focus.active, "focused");
    add(el === focus.descendant, "active");
    return words;
  }
  add(disabled(el), "disabled");
  add(checked(el), "checked");
  add(mixed(el), "mixed");
  const open = expansion(el);
  if (open !== null) words.push(open ? "expanded" : "collapsed");
  if (isField(el)) fieldStates(el, add);
  add(el === focus.active, "focused");
  add(el === focus.descendant, "active");
  add(isHTML(el) && attr(el, "draggable") === "true", "draggable");
  add(el instanceof HTMLDialogElement && matches(el, ":modal"), "modal");
  if (matches(el, ariaStates)) ariaWords(el, add);
  return words;
}

function fieldStates(el, add) {
  add(el.required || isTrue(el, "aria-required"), "required");
  add((el.readOnly ?? false) || isTrue(el, "aria-readonly"), "readonly");
  add(matches(el, ":user-invalid") && !given(el, "aria-invalid"), "invalid");
  add(el.multiple && el instanceof HTMLSelectElement, "multiple");
}

const ariaStates = ":is([aria-selected],[aria-pressed],[aria-invalid],[aria-current],[aria-busy],[aria-haspopup],[aria-modal],[aria-multiselectable],[aria-sort],[aria-required],[aria-readonly])";

function ariaWords(el, add) {
  add(isTrue(el, "aria-selected"), "selected");
  add(isTrue(el, "aria-pressed"), "pressed");
  add(!isField(el) && isTrue(el, "aria-required"), "required");
  add(!isField(el) && isTrue(el, "aria-readonly"), "readonly");
  add(given(el, "aria-invalid"), "invalid");
  add(given(el, "aria-current"), "current");
  add(isTrue(el, "aria-busy"), "busy");
  add(given(el, "aria-haspopup"), "haspopup");
  add(isTrue(el, "aria-modal") && !(el instanceof HTMLDialogElement && matches(el, ":modal")), "modal");
  add(isTrue(el, "aria-multiselectable"), "multiple");
  const sorted = sorts[attr(el, "aria-sort")];
  if (sorted) add(true, sorted);
}

// focusNow is the element that has the focus, and the one that keys act on where
// that is said to be another.
function focusNow() {
  let active = activeIn(document);
  while (active && shadowOf(active) && activeIn(shadowOf(active))) active = activeIn(shadowOf(active));
  if (!active || active === rootElement() || tagOf(active) === "body" || holdsFrame(active)) return {};
  const [descendant] = named(active, "aria-activedescendant");
  return { active, descendant };
}

// named are the elements that an attribute names by their ids.
function named(el, attribute) {
  const list = attr(el, attribute);
  if (!list) return [];
  const root = rootOf(el);
  if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
  return list.split(/\s+/).slice(0, 20).map((id) => (id ? byIdIn(root, id) : null)).filter(Boolean);
}

const descriptionLimit = 300, seenDescriptionLimit = 120;

// describe adds what is said about an element beside its name, where that is more.
function describe(el, item) {
  if (has(el, "aria-describedby") || has(el, "aria-description") || has(el, "title")) {
    const text = descriptionOf(el);
    if (text && !item.name.includes(text)) item.description = text;
  }
  if (!invalid(el)) return;
  const said = named(el, "aria-errormessage").filter((e) => seen(e, { visibilityProperty: true })).map((e) => textOf(e)).join(" ");
  const error = fold(said || (isField(el) && matches(el, ":user-invalid") ? el.validationMessage : ""));
  if (error && error !== item.description) item.error = cut(error, descriptionLimit);
}

function descriptionOf(el) {
  const by = named(el, "aria-describedby");
  if (by.length > 0) {
    const text = fold(by.map((e) => fold(attr(e, "aria-label") ?? "") || textOf(e, el, true)).join(" "));
    const listed = by.every((e) => seen(e, { visibilityProperty: true })); // it is told where it stands, too
    return listed && text.length > seenDescriptionLimit ? "" : cut(text, descriptionLimit);
  }
  return cut(fold(attr(el, "aria-description") ?? "") || fold(attr(el, "title") ?? ""), descriptionLimit);
}

const ranges = new Set("slider spinbutton progressbar meter scrollbar".split(" "));

// rangeOf says which values an element takes.
function rangeOf(el, role, item) {
  const of = (name, aria, otherwise) => fold(attr(el, name) ?? attr(el, aria) ?? otherwise).slice(0, 40);
  const range = el instanceof HTMLInputElement && el.type === "range";
  if (isField(el) && !(el instanceof HTMLInputElement)) return;
  item.min = of("min", "aria-valuemin", range ? "0" : "");
  item.max = of("max", "aria-valuemax", range ? "100" : "");
  if (el instanceof HTMLInputElement) item.step = fold(attr(el, "step") ?? "").slice(0, 40);
}

const optionLimit = 50;

// optionsOf lists the labels that can be chosen, or that are proposed.
function optionsOf(el, item) {
  const of = el instanceof HTMLSelectElement ? el : el instanceof HTMLInputElement && has(el, "list") ? el.list : null;
  if (!of) return;
  const options = [...of.options];
  item.options = options.slice(0, optionLimit).map((o) => cut(fold(of === el ? o.label : o.value || o.label), 100));
  if (options.length > optionLimit) item.more = options.length - optionLimit;
}

// fallbackOf is what a canvas says for those who do not see it.
function fallbackOf(el) {
  const parts = [];
  for (let n = firstChildOf(el); n; n = nextOf(n)) parts.push(isElement(n) ? textOf(n, null, true) : isText(n) ? textValueOf(n) : "");
  return cut(fold(parts.join(" ")), descriptionLimit);
}
