// Roles and accessible names, after WAI-ARIA 1.2, HTML-AAM and accname 1.2 as
// far as they matter for finding one's way on a page.
const tagRoles = {
  __proto__: null,
  article: "article", aside: "complementary", audio: "audio", blockquote: "blockquote", button: "button", canvas: "canvas", dd: "definition",
  details: "group", dialog: "dialog", dt: "term", fieldset: "group", figure: "figure", footer: "contentinfo",
  h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", header: "banner",
  hr: "separator", iframe: "iframe", frame: "iframe", img: "img", li: "listitem", main: "main", menu: "list",
  meter: "meter", nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status",
  progress: "progressbar", search: "search", select: "combobox", summary: "button", svg: "img", table: "table",
  td: "cell", textarea: "textbox", th: "columnheader", tr: "row", ul: "list", video: "video",
};
const inputRoles = {
  __proto__: null,
  button: "button", checkbox: "checkbox", file: "button", image: "button", number: "spinbutton", radio: "radio",
  range: "slider", reset: "button", search: "searchbox", submit: "button",
};
const knownRoles = new Set((Object.values(tagRoles).join(" ") + " " + Object.values(inputRoles).join(" ") +
  " link switch tab tablist tabpanel menu menubar menuitem menuitemcheckbox menuitemradio tree treeitem grid" +
  " gridcell rowheader rowgroup listbox alert alertdialog log marquee timer tooltip toolbar region form application" +
  " document feed math note radiogroup scrollbar searchbox spinbutton").split(" "));
const actionRoles = new Set(("button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option" +
  " textbox searchbox combobox listbox slider spinbutton treeitem canvas video audio").split(" "));
// Roles that take their name from what they contain.
const namedByContent = new Set(("button link heading checkbox radio switch tab menuitem menuitemcheckbox menuitemradio" +
  " option treeitem tooltip").split(" "));
// Roles that are only worth a line when they have a name.
const onlyNamed = new Set(["form", "region", "group", "figure", "article", "rowgroup", "blockquote", "img", "generic"]);
// Roles that stand for the one text they contain.
const leaves = new Set(("cell gridcell columnheader rowheader listitem definition term status alert log note" +
  " generic blockquote figure").split(" "));

// Attributes that tell nothing about role, name and states, beside what is read by
// the names of the tags that have them.
const mute = new Set(("class style id href src srcset sizes alt width height colspan rowspan scope target rel lang dir type value min max step name for" +
  " d x y r cx cy rx ry x1 x2 y1 y2 points fill stroke viewbox viewBox transform xmlns").split(" "));

// saysSomething reports whether an element has other attributes.
function saysSomething(el) {
  if (!hasAny(el)) return false;
  for (const name of attrNames(el)) if (!mute.has(name) && !name.startsWith("data-")) return true;
  return false;
}

function roleOf(el, tells = true) {
  const given = tells ? attr(el, "role") : null;
  for (const token of given ? given.toLowerCase().split(/\s+/) : []) {
    if (knownRoles.has(token)) return token;
    if (token === "none" || token === "presentation") return "";
  }
  return isHTML(el) ? htmlRoleOf(el, tells) : svgRoleOf(el);
}

function htmlRoleOf(el, tells) {
  const tag = tagOf(el);
  switch (tag) {
    case "a": case "area": return has(el, "href") ? "link" : "";
    case "input": return inputRoleOf(el);
    case "select": return el.multiple || el.size > 1 ? "listbox" : "combobox";
    case "section": return has(el, "aria-label") || has(el, "aria-labelledby") ? "region" : "";
    case "form": return "form";
    case "header": case "footer": return withinSection(el) ? "" : tagRoles[tag];
    case "th": return attr(el, "scope") === "row" ? "rowheader" : "columnheader";
    case "img": return attr(el, "alt") === "" ? "" : "img";
    case "summary": return tagOf(parentOf(el) ?? el) === "details" ? "button" : "";
    case "object": case "embed": return holdsFrame(el) ? "iframe" : "";
  }
  if (tagRoles[tag]) return tagRoles[tag];
  return tells && isEditingHost(el) && el.isContentEditable ? "textbox" : "";
}

function inputRoleOf(el) {
  if (el.type === "hidden") return "";
  if (inputRoles[el.type]) return inputRoles[el.type];
  return has(el, "list") ? "combobox" : "textbox";
}

const svgRoleOf = (el) => {
  const tag = tagOf(el);
  if (tag === "a") return "link";
  return tag === "svg" ? "img" : "";
};

function withinSection(el) {
  for (let n = parentOf(el); isElement(n); n = parentOf(n)) {
    if (["article", "aside", "main", "nav", "section"].includes(tagOf(n))) return true;
  }
  return false;
}

function isEditingHost(el) {
  const value = (attr(el, "contenteditable") ?? "").toLowerCase();
  return has(el, "contenteditable") && value !== "false" && value !== "inherit";
}

const nameLimit = 2000;

// nameOf is the accessible name, folded and cut. tells is what saysSomething says.
function nameOf(el, role, tells = true) {
  if (!tells) return cut(nativeName(el) || (namedByContent.has(role) ? textOf(el) : ""), nameLimit);
  const name = labelledBy(el) || fold(attr(el, "aria-label") ?? "") || nativeName(el) ||
    (namedByContent.has(role) ? textOf(el) : "") || fold(attr(el, "title") ?? "") ||
    fold(attr(el, "placeholder") ?? attr(el, "aria-placeholder") ?? "");
  return cut(name, nameLimit);
}

function labelledBy(el) {
  const list = attr(el, "aria-labelledby");
  if (!list) return "";
  const root = rootOf(el);
  if (!(root instanceof Document || root instanceof ShadowRoot)) return "";
  const parts = list.split(/\s+/).slice(0, 20).map((id) => (id ? byIdIn(root, id) : null)).filter(Boolean);
  return fold(parts.map((p) => fold(attr(p, "aria-label") ?? "") || textOf(p, el, true)).join(" "));
}

function nativeName(el) {
  if (!isHTML(el)) return tagOf(el) === "svg" ? titleChild(el) : "";
  if (el instanceof HTMLInputElement && inputRoles[el.type] === "button") return buttonName(el);
  switch (tagOf(el)) {
    case "img": case "area": return fold(attr(el, "alt") ?? "");
    case "fieldset": return childText(el, "legend");
    case "table": return childText(el, "caption");
    case "figure": return childText(el, "figcaption");
    case "optgroup": case "option": return fold(attr(el, "label") ?? "");
    case "iframe": case "frame": return fold(attr(el, "title") ?? "");
    case "input": case "textarea": case "select": case "meter": case "progress": case "output": case "button":
      return labelText(el);
  }
  return "";
}

function buttonName(el) {
  const own = el.type === "image" ? attr(el, "alt") : el.type === "file" ? "" : el.value;
  if (fold(own ?? "")) return fold(own);
  return labelText(el) || { submit: "Submit", reset: "Reset", file: "Choose file" }[el.type] || "";
}

function labelText(el) {
  const labels = el.labels;
  if (!labels || labels.length === 0) return "";
  return fold([...labels].slice(0, 5).map((l) => textOf(l, el, true)).join(" "));
}

const childText = (el, tag) => {
  for (let n = firstChildOf(el); n; n = nextOf(n)) if (isElement(n) && tagOf(n) === tag) return textOf(n);
  return "";
};
const titleChild = (el) => childText(el, "title");

const silent = new Set(["script", "style", "noscript", "template", "head", "title", "datalist", "object", "audio", "video", "canvas"]);
const inlineDisplay = /^(inline|contents|ruby)/;

// textOf is the text that el shows, without the element left out (a control
// within its own label). A hidden root is read where hidden is set, as
// aria-labelledby wants it.
function textOf(el, leftOut, hidden, limit = nameLimit) {
  const only = firstChildOf(el);
  if (only && isText(only) && !generated.has(el) && !nextOf(only) && !shadowOf(el) && !isField(el) && (hidden || rendered(el, getComputedStyle(el)))) {
    return cut(fold(textValueOf(only)), limit);
  }
  const parts = [];
  let size = 0;
  const walk = (node, invisible, nesting) => {
    if (size > Math.min(limit, 2 * nameLimit) || node === leftOut || nesting > nestingLimit) return;
    if (isText(node)) {
      const text = textValueOf(node);
      parts.push(text);
      size += text.length;
      return;
    }
    if (!isElement(node) || (silent.has(tagOf(node)) && isHTML(node))) return;
    const style = getComputedStyle(node);
    if (!invisible && !rendered(node, style)) return;
    const block = !inlineDisplay.test(style.display);
    if (block) parts.push(" ");
    const instead = replacedText(node, node === el);
    const made = generated.has(node) && !instead;
    if (made) parts.push(generatedOf(node, "::before"));
    if (instead) parts.push(instead);
    else if (!isField(node)) for (const child of contentOf(node, style)) walk(child, invisible, nesting + 1);
    if (made) parts.push(generatedOf(node, "::after"));
    if (block || tagOf(node) === "br") parts.push(" ");
  };
  if (tagOf(el) === "title") return fold([...childrenOf(el)].filter(isText).map(textValueOf).join(""));
  walk(el, hidden === true && !seen(el, { visibilityProperty: true }), 0);
  return cut(fold(parts.join("")), limit);
}

// rendered reports whether el is drawn; what has no box of its own
// (display: contents) is drawn through its children.
function rendered(el, style, options = { visibilityProperty: true }) {
  if (style.display === "contents") return style.visibility === "visible";
  return seen(el, options);
}

// contentOf are the children that can be seen.
function contentOf(el, style) {
  if (style.contentVisibility === "hidden") return [];
  const all = [...childrenOf(el)];
  if (!(el instanceof HTMLDetailsElement) || el.open) return all;
  return all.filter((child) => isElement(child) && tagOf(child) === "summary").slice(0, 1);
}

// replacedText is what an element says in place of its content. The label of
// the root is for whoever asks about the root.
function replacedText(el, root) {
  if (!root && has(el, "aria-label")) return attr(el, "aria-label");
  const tag = tagOf(el);
  if (tag === "img") return attr(el, "alt");
  if (tag === "svg") return titleChild(el);
  return null;
}
