// The document as text: what a serialiser writes, with the state that fields
// show, shadow roots in place of their hosts' children, and no passwords.
const voids = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
const rawText = new Set("script style xmp iframe noembed noframes plaintext".split(" "));
const escapeText = (s) => s.replace(/[&<>\u00a0]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;" })[c]);
const escapeAttr = (s) => s.replace(/[&"<>\u00a0]/g, (c) => ({ "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;" })[c]);

class Writer {
  constructor(limit, shownOnly) {
    this.shownOnly = shownOnly; // texts that nobody sees are left out
    this.unseen = false; // of the element under way
    this.parts = [];
    this.frames = []; // where documents of frames go: behind a part, and whose
    this.left = limit;
    this.nesting = 0;
    this.truncated = false;
  }

  // write adds text, whole or not at all, keeping room for what must follow.
  write(text, reserve = 0) {
    const size = utf8Size(text);
    if (this.truncated || size + reserve > this.left) {
      this.truncated = true;
      return false;
    }
    this.left -= size;
    this.parts.push(text);
    return true;
  }

  node(node) {
    if (this.truncated) return;
    if (isText(node)) {
      if (this.unseen) return;
      const parent = parentOf(node);
      const raw = isElement(parent) && rawText.has(tagOf(parent)) && isHTML(parent);
      this.text(raw ? textValueOf(node) : escapeText(textValueOf(node)), raw);
    } else if (isElement(node)) {
      this.element(node);
    }
  }

  // text may be cut, since half of a long text is worth having.
  text(text, raw) {
    if (this.write(text) || raw) return;
    let part = text.slice(0, this.left).replace(/[\ud800-\udbff]$/, "").replace(/&[a-z]*$/, "");
    while (utf8Size(part) > this.left) part = part.slice(0, part.length - Math.max(1, Math.ceil((utf8Size(part) - this.left) / 4))).replace(/[\ud800-\udbff]$/, "");
    this.parts.push(part);
    this.left -= utf8Size(part);
  }

  element(el) {
    const tag = tagOf(el);
    const isVoid = isHTML(el) && voids.has(tag);
    const close = isVoid ? "" : `</${tag}>`;
    if (holdsFrame(el)) return this.frame(el, tag, close);
    suspect(el, tag);
    if (!this.write(`<${tag}${this.attributes(el)}>`, close.length)) return;
    this.left -= close.length;
    if (!isVoid) this.inside(el, tag);
    this.parts.push(close);
  }

  // frame leaves a gap in the tag, for the document that is shown.
  frame(el, tag, close) {
    if (!this.write(`<${tag}${this.attributes(el)}`, close.length + 1)) return;
    this.left -= close.length + 1;
    if (seen(el, { visibilityProperty: true }) && rectOf(el).width > 1 && rectOf(el).height > 1) {
      this.frames.push({ part: this.parts.length, element: numberOf(el) });
    }
    this.parts.push(">" + close);
  }

  inside(el, tag) {
    if (tag === "textarea" && el instanceof HTMLTextAreaElement) return this.text(escapeText(el.value));
    if (++this.nesting > nestingLimit) this.truncated = true;
    const outside = this.unseen;
    if (!choices.has(tag)) this.unseen = this.shownOnly && !drawn(el);
    for (const child of childrenOf(el)) this.node(child);
    this.unseen = outside;
    this.nesting--;
  }

  attributes(el) {
    const out = [];
    for (const name of attrNames(el)) {
      if (!shadowed(el, name)) out.push(` ${name}="${escapeAttr(attr(el, name))}"`);
    }
    if (this.shownOnly && (isField(el) || tagOf(el) === "img") && !has(el, "hidden") && !drawn(el)) out.push(' hidden=""');
    return out.join("") + stateOf(el);
  }
}

// What a list of choices offers has no place on the page while it is closed.
const choices = new Set(["option", "optgroup"]);

// drawn is what a snapshot takes for visible.
function drawn(el) {
  if (rendered(el, getComputedStyle(el), { visibilityProperty: true, opacityProperty: true })) return true;
  return isField(el) && rectOf(el).width > 0 && seen(el, { visibilityProperty: true });
}

const utf8Size = (s) => {
  let n = s.length;
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    if (c > 0x7ff && (c < 0xd800 || c > 0xdfff)) n += 2;
    else if (c > 0x7f) n += 1; // either half of a pair: four bytes for two units
  }
  return n;
};

// holdsFrame reports whether an element shows a document of its own. What an embed
// shows is not told: only what can be a document is taken for one.
function holdsFrame(el) {
  if (!isHTML(el)) return false;
  switch (tagOf(el)) {
    case "iframe": case "frame": return true;
    case "object": return el.contentWindow != null;
    case "embed": return /^(text\/html|image\/svg\+xml|application\/xhtml\+xml)?$/i.test(attr(el, "type") ?? "") && !/\.(pdf|swf)\b/i.test(attr(el, "src") ?? "");
  }
  return false;
}

// shadowed reports whether the attribute's state is written otherwise: by
// stateOf, or as the document of a frame, whatever the attribute says.
function shadowed(el, name) {
  if (name === "srcdoc" && holdsFrame(el)) return true;
  if (el instanceof HTMLInputElement) return name === "value" || name === "checked";
  return el instanceof HTMLOptionElement && name === "selected";
}

// stateOf writes what a field shows as the attributes it would start with.
function stateOf(el) {
  if (el instanceof HTMLOptionElement) return el.selected ? ' selected=""' : "";
  if (!(el instanceof HTMLInputElement)) return "";
  if (isSecret(el) || el.type === "file") return "";
  if (el.type === "checkbox" || el.type === "radio") {
    return (has(el, "value") ? ` value="${escapeAttr(attr(el, "value"))}"` : "") + (el.checked ? ' checked=""' : "");
  }
  return el.value || has(el, "value") ? ` value="${escapeAttr(el.value)}"` : "";
}

// html serialises this document into at most limit bytes. The parts are to be
// put together, with the documents of frames in the gaps between them. It is that
// of the element n where one is given. In a frame the base of its addresses is
// written down, as it has none outside. With shownOnly it has no text that nobody
// sees, and fields and pictures that are not shown are marked as hidden.
function html(limit, first, framed, shownOnly, n) {
  next = Math.max(next, first);
  const out = new Writer(limit, shownOnly);
  const root = n ? elementOf(n) : rootElement();
  if (!root && n) return { stale: true };
  if (framed && (location.protocol === "chrome-error:" || !root || empty(root))) return { parts: [""], frames: [], next };
  if (doctypeOf() && !framed && !n) out.write(`<!DOCTYPE ${doctypeOf().name}>`);
  if (framed) out.write(`<base href="${escapeAttr(baseOf())}">`);
  if (root) out.node(root);
  return { parts: joined(out), frames: out.frames.map((f) => f.element), truncated: out.truncated, next, suspects: suspects.length };
}

const baseOf = () => getter(Node.prototype, "baseURI")(document);

// empty reports whether the document shows nothing, as about:blank does.
function empty(root) {
  for (let n = firstChildOf(root); n; n = nextOf(n)) if (isElement(n) && tagOf(n) !== "head" && firstChildOf(n)) return false;
  return true;
}

// joined is the text between the gaps.
function joined(out) {
  const parts = [];
  let from = 0;
  for (const { part } of out.frames) {
    parts.push(out.parts.slice(from, part).join(""));
    from = part;
  }
  return [...parts, out.parts.slice(from).join("")];
}
