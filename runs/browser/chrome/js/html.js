// The document as text: what a serialiser writes, with the state that fields
// show, shadow roots in place of their hosts' children, and no passwords.
const voids = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
const rawText = new Set("script style xmp iframe noembed noframes plaintext".split(" "));
const escapeText = (s) => s.replace(/[&<>\u00a0]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;" })[c]);
const escapeAttr = (s) => s.replace(/[&"<>\u00a0]/g, (c) => ({ "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;" })[c]);

class Writer {
  constructor(limit) {
    this.parts = [];
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
    let cut = text.slice(0, this.left).replace(/[\ud800-\udbff]$/, "").replace(/&[a-z]*$/, "");
    while (utf8Size(cut) > this.left) cut = cut.slice(0, cut.length - Math.max(1, Math.ceil((utf8Size(cut) - this.left) / 4))).replace(/[\ud800-\udbff]$/, "");
    this.parts.push(cut);
    this.left -= utf8Size(cut);
  }

  element(el) {
    const tag = tagOf(el);
    const isVoid = isHTML(el) && voids.has(tag);
    const close = isVoid ? "" : `</${tag}>`;
    if (!this.write(`<${tag}${this.attributes(el)}>`, close.length)) return;
    this.left -= close.length;
    if (!isVoid) this.inside(el, tag);
    this.parts.push(close);
  }

  inside(el, tag) {
    if (tag === "textarea" && el instanceof HTMLTextAreaElement) return this.text(escapeText(el.value));
    if (tag === "iframe" || tag === "frame") return;
    if (++this.nesting > nestingLimit) this.truncated = true;
    for (const child of childrenOf(el)) this.node(child);
    this.nesting--;
  }

  attributes(el) {
    const out = [];
    for (const name of attrNames(el)) {
      if (!shadowed(el, name)) out.push(` ${name}="${escapeAttr(attr(el, name))}"`);
    }
    return out.join("") + stateOf(el);
  }
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

// shadowed reports whether the attribute's state is written by stateOf.
function shadowed(el, name) {
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

function html(limit) {
  const out = new Writer(limit);
  if (doctypeOf()) out.write(`<!DOCTYPE ${doctypeOf().name}>`);
  const root = rootElement();
  if (root) out.node(root);
  return { html: out.parts.join(""), truncated: out.truncated };
}
