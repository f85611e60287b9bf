// The focus, and what keys copy and paste.

// focusIt gives an element, or what it labels, the focus.
function focusIt(n) {
  let el = elementOf(n);
  if (!el) return { state: "stale" };
  if (el instanceof HTMLLabelElement && el.control) el = el.control;
  if (disabled(el)) return { state: "disabled" };
  scrollTo(el, { block: "nearest", inline: "nearest", behavior: "instant" });
  if (!focused(el)) focusOf(el)(el);
  const active = activeNow();
  return { state: focused(el) || (active && within(active, el)) ? "ok" : "unfocusable" };
}

const focusOf = (el) => (el instanceof HTMLElement ? focus : bind(SVGElement.prototype.focus));

// activeNow is the innermost element with the focus.
function activeNow() {
  let active = activeIn(document);
  while (active && shadowOf(active)) {
    const inner = activeIn(shadowOf(active));
    if (!inner) break;
    active = inner;
  }
  return active;
}

// focusedFrame is the number of the frame that has the focus; 0 if none has.
function focusedFrame(from) {
  next = Math.max(next, from);
  const active = activeNow();
  const framed = active && isHTML(active) && (tagOf(active) === "iframe" || tagOf(active) === "frame");
  return { state: "ok", frame: framed ? numberOf(active) : 0, next };
}

// selectedText is what would be copied now.
function selectedText() {
  const el = activeNow();
  if (el && isField(el)) {
    return isSecret(el) || el instanceof HTMLSelectElement ? "" : el.value.slice(el.selectionStart ?? 0, el.selectionEnd ?? 0);
  }
  return String(getSelection() ?? "");
}

let copying = null;

// watchCopy listens for what the next copy or cut takes: the selection, or what
// the page puts in its place.
function watchCopy() {
  copied();
  const c = { text: "" };
  c.before = (ev) => { if (ev.isTrusted) c.text = selectedText(); };
  c.after = (ev) => { if (ev.isTrusted && ev.defaultPrevented) c.text = ev.clipboardData?.getData("text/plain") ?? ""; };
  for (const type of ["copy", "cut"]) {
    listen(window, type, c.before, true);
    listen(window, type, c.after);
  }
  copying = c;
}

// copied is what was taken since watchCopy.
function copied() {
  const c = copying;
  copying = null;
  for (const type of c ? ["copy", "cut"] : []) {
    unlisten(window, type, c.before, true);
    unlisten(window, type, c.after);
  }
  return c?.text ?? "";
}

// paste puts text where the focus is, as a paste does: the page may take it in
// its own way.
function paste(text) {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const ev = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true, composed: true });
  const el = activeNow() ?? rootElement();
  if (emit(el, ev)) command(document, "insertText", false, text);
  return { state: "ok" };
}
