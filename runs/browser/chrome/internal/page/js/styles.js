// What style sheets say that the tree does not: texts that they put before and
// after elements, and what they show only under the pointer.
const sheetFacts = new WeakMap(); // what was read of a sheet, while it has as many rules
const ruleLimit = 20000, selectorLimit = 300, styledLimit = 500, styleTime = 50; // ms
let rulesLeft = 0; // that are read for the walk

let generated = new Set(); // elements with such texts
let revealing = new Set(); // elements that show something under the pointer

// readStyles looks again, at the beginning of a walk.
function readStyles() {
  rulesLeft = ruleLimit;
  const all = [...sheetsOf(document)].slice(0, 200).map(factsOf);
  generated = styledBy(all.flatMap((f) => f.generated.map((base) => ({ base }))));
  revealing = styledBy(all.flatMap((f) => f.hover), revealsNow);
}

const sheetsOf = (root) => [...getter(Document.prototype, "styleSheets")(root), ...(root.adoptedStyleSheets ?? [])];

// styledBy are the elements that selectors name, and that are as wanted.
function styledBy(rules, wanted = () => true) {
  const found = new Set();
  const until = performance.now() + styleTime;
  for (const rule of rules.slice(0, selectorLimit)) {
    if (performance.now() > until) break;
    let all = [];
    try { all = findAll(document, rule.base); } catch { continue; }
    for (const el of all) {
      if (found.size >= styledLimit) return found;
      if (!found.has(el) && wanted(el, rule)) found.add(el);
    }
  }
  return found;
}

function factsOf(sheet) {
  let rules = null;
  try { rules = sheet.cssRules; } catch { /* of another site */ }
  const known = sheetFacts.get(sheet);
  if (!rules || known?.n === rules.length) return known ?? { n: 0, generated: [], hover: [] };
  const facts = { n: rules.length, generated: [], hover: [] };
  readRules(rules, facts, 0);
  sheetFacts.set(sheet, facts);
  return facts;
}

function readRules(rules, facts, depth) {
  for (const rule of rules) {
    if (rulesLeft-- <= 0) return;
    if (!(rule instanceof CSSStyleRule)) {
      if (rule.cssRules && depth < 5) readRules(rule.cssRules, facts, depth + 1);
      continue;
    }
    const selector = rule.selectorText;
    if (/:(before|after)/.test(selector) && telling.test(rule.style.content)) addGenerated(selector, facts);
    if (selector.includes(":hover") && reveals(rule.style)) addHover(selector, facts);
  }
}

// telling is content that says something: no icons, bullets or the like.
const telling = /["'][^"']*[\p{L}\p{N}*€$£%]|attr\(/u;

// selectorsIn are those of a list.
const selectorsIn = (list) => (list.length > 2000 ? [] : list.split(/,(?![^(]*\))/).map((s) => s.trim()));

function addGenerated(list, facts) {
  for (const s of selectorsIn(list)) {
    const m = /^(.*?)::?(before|after)$/.exec(s);
    if (m) facts.generated.push(m[1] === "" || /[\s>+~]$/.test(m[1]) ? m[1] + "*" : m[1]);
  }
}

// reveals reports whether a rule can show what was not.
const reveals = (style) =>
  (style.display !== "" && style.display !== "none") || style.visibility === "visible" || Number(style.opacity || 0) > 0 || parseFloat(style.maxHeight) > 0;

function addHover(list, facts) {
  for (const s of selectorsIn(list)) {
    const at = s.indexOf(":hover");
    const m = at > 0 ? /^[^\s>+~]*(\s*>\s*|\s+)([^+~]+)$/.exec(s.slice(at + ":hover".length)) : null;
    if (m && !/[\s>+~]$/.test(s.slice(0, at))) facts.hover.push({ base: s.slice(0, at), target: `:scope${m[1]}${m[2]}` });
  }
}

// revealsNow reports whether an element has something in it that is not shown, or
// is because the pointer is there.
function revealsNow(el, { target }) {
  let hidden = null;
  try { hidden = find(el, target); } catch { /* what no query knows */ }
  return hidden !== null && (matches(el, ":hover") || !seen(hidden, opacity) || rectOf(hidden).height === 0);
}

// generatedOf is the text before or after an element that its style makes up.
function generatedOf(el, which) {
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (content === "none" || content === "normal" || style.display === "none" || style.visibility !== "visible") return "";
  const [said, instead] = content.split(/ \/ (?=["'])/);
  const parts = [];
  for (const [all, text, name] of (instead ?? said).matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g)) {
    parts.push(all[0] === '"' ? text.replace(/\\(.)/g, "$1") : attr(el, name) ?? "");
  }
  const text = parts.join("");
  return /[\p{L}\p{N}*€$£%]/u.test(text) ? cut(text, 200) : "";
}

// madeUp is the text that styles give an element without any of its own; styles of
// shadow roots and of other sites are not read beforehand.
function madeUp(el) {
  const few = [el, ...[...allIn(el, "*")].slice(0, 5)];
  return fold(few.flatMap((e) => [generatedOf(e, "::before"), generatedOf(e, "::after")]).join(" "));
}
