// The source: line numbers, how often lines were executed, the failing line, invariants at their
// loops, and the line that the selected step, vertex or event stands at.

const KEYWORDS = new Set(
  ("auto break case char const continue default do double else enum extern float for goto if " +
    "inline int long register restrict return short signed sizeof static struct switch typedef " +
    "union unsigned void volatile while _Bool _Noreturn bool true false NULL").split(" "),
);
const TOKEN =
  /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[A-Za-z_]\w*|\.?\d[\w.]*|^\s*#\s*\w+/g;

/** The parts of a line, as `[kind, text]`, and whether it ends inside of a comment. */
function tokens(line, inComment) {
  const parts = [];
  let at = 0;
  if (inComment) {
    const end = line.indexOf("*/");
    at = end < 0 ? line.length : end + 2;
    parts.push(["t-comment", line.slice(0, at)]);
    if (end < 0) return [parts, true];
  }
  TOKEN.lastIndex = at;
  let opens = false;
  for (let found; (found = TOKEN.exec(line)); ) {
    const text = found[0];
    if (found.index > at) parts.push(["", line.slice(at, found.index)]);
    parts.push([tokenKind(text), text]);
    at = found.index + text.length;
    opens = text.startsWith("/*") && !(text.length >= 4 && text.endsWith("*/"));
  }
  if (at < line.length) parts.push(["", line.slice(at)]);
  return [parts, opens];
}

function tokenKind(text) {
  if (text.startsWith("//") || text.startsWith("/*")) return "t-comment";
  if (text.startsWith('"') || text.startsWith("'")) return "t-string";
  if (text.trim().startsWith("#")) return "t-directive";
  if (/^[.\d]/.test(text)) return "t-number";
  return KEYWORDS.has(text) ? "t-keyword" : "";
}

/** Columns count characters; strings here count halves of some. */
function offsetOf(text, column) {
  let offset = 0;
  for (const character of text) {
    if (--column <= 0) break;
    offset += character.length;
  }
  return offset;
}

/** The elements of a line's parts; those from `from` to `to` are marked as `mark`. */
function lineParts(parts, from, to, mark) {
  const made = [];
  let at = 0;
  for (const [kind, text] of parts) {
    const cuts = [0, from - at, to - at, text.length]
      .map((cut) => Math.max(0, Math.min(text.length, cut)))
      .sort((a, b) => a - b);
    for (let index = 0; index + 1 < cuts.length; index++) {
      const piece = text.slice(cuts[index], cuts[index + 1]);
      if (piece === "") continue;
      const start = at + cuts[index];
      const kinds = [kind, start >= from && start < to ? mark : ""].filter(Boolean).join(" ");
      made.push(kinds ? make("span", { class: kinds }, piece) : piece);
    }
    at += text.length;
  }
  return made;
}

/** A count in few characters. */
function shortCount(number) {
  for (const [limit, sign] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (number >= limit) return `${Math.floor(number / (limit === 1e4 ? 1e3 : limit))}${sign}`;
  }
  return String(number);
}

const source = { lines: [], blocks: [], counts: [], pane: null, select: null, file: 0, row: null, current: null };

function buildSource(section) {
  for (const { file, line, count: times } of report.coverage) {
    (source.counts[file] ??= new Map()).set(line, times);
  }
  const head = make("div", { class: "pane-head" });
  if (report.files.length > 1) {
    const option = (file, index) => make("option", { value: index }, file.name);
    const change = () => showFile(Number(source.select.value));
    source.select = make("select", { "aria-label": "File", onchange: change }, report.files.map(option));
    head.append(source.select);
  } else {
    const name = report.files[0]?.name ?? "no file";
    head.append(make("h2", { title: name }, shortName(name)));
  }
  head.append(...coverageKey());
  source.pane = make("div", { class: "code", tabindex: "0", role: "group", "aria-label": "Text of the source" });
  section.append(head, source.pane);
  showFile(report.place?.file ?? 0);
}

/** What the numbers in the margin mean. */
function coverageKey() {
  if (report.coverage.length === 0) return [];
  const covered = report.coverage.filter((row) => row.count > 0).length;
  const by = report.covered_by ? ` by ${report.covered_by}` : "";
  const said = `${covered} of ${count(report.coverage.length, "line")} executed${by}`;
  const title = "The left margin says how often each line was executed.";
  return [make("span", { class: "key", title }, said)];
}

/** Shows a file's text. */
function showFile(index) {
  const file = report.files[index];
  if (!file) {
    source.pane.replaceChildren(nothing("files", "The source is not part of this report."));
    return;
  }
  source.file = index;
  source.current = null;
  source.lines = [];
  source.blocks = [];
  if (source.select) source.select.value = String(index);
  const body = make("div", { class: "lines" });
  let inComment = false;
  for (let from = 0; from < file.lines.length; from += BLOCK) {
    const lines = file.lines.slice(from, from + BLOCK);
    const block = { from, lines, inComment, element: make("div", { class: "block", "data-block": source.blocks.length }) };
    for (const line of lines) inComment = tokens(line, inComment)[1];
    source.blocks.push(block);
    body.append(block.element);
    if (file.lines.length <= AT_ONCE) fillBlock(block);
    else block.element.textContent = lines.join("\n");
  }
  source.pane.replaceChildren(body);
  source.pane.style.setProperty("--digits", String(file.lines.length).length);
  source.pane.classList.toggle("counted", source.counts[index] !== undefined);
  if (file.lines.length > AT_ONCE) fillInSight();
}

const BLOCK = 200; // Lines that are made together.
const AT_ONCE = 2000; // Longer files are plain text at first; blocks that come into sight are made.

function fillInSight() {
  source.observer?.disconnect();
  const seen = (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) fillBlock(source.blocks[Number(target.dataset.block)]);
    }
  };
  source.observer = new IntersectionObserver(seen, { root: source.pane, rootMargin: "600px" });
  for (const { element } of source.blocks) source.observer.observe(element);
}

/** Makes the rows of a block, once. */
function fillBlock(block) {
  if (block.isFilled) return;
  block.isFilled = true;
  let inComment = block.inComment;
  const rows = block.lines.flatMap((text, at) => {
    let parts;
    [parts, inComment] = tokens(text, inComment);
    return rowsOfLine(block.from + at + 1, text, parts);
  });
  block.element.replaceChildren(...rows);
}

/** The row of a line; its block is made if it was not. */
function lineRow(number) {
  const block = source.blocks[Math.floor((number - 1) / BLOCK)];
  if (block) fillBlock(block);
  return source.lines[number];
}

/** A line, and what is said of it below. */
function rowsOfLine(number, text, parts) {
  const isHere = (row) => row.place?.file === source.file && row.place.line === number;
  const isFault = isHere(report);
  const line = sourceLine(source.file, number, text, parts, isFault ? report.place : null);
  source.lines[number] = line;
  const rows = [line];
  if (isFault) rows.push(besideLine(text, `fault-note ${report.verdict}`, faultWord(), prose(faultText(report.place))));
  for (const { text: values } of report.operands.filter((row) => isHere(row) && row.text !== "")) {
    rows.push(besideLine(text, "operands", isFault ? "where" : "given", make("code", {}, values)));
  }
  for (const loop of report.loops.filter((row) => isHere(row) && row.invariant.length > 0)) {
    rows.push(factsRow(text, "invariant", invariantFacts(loop)));
  }
  for (const contract of report.contracts.filter(isHere)) {
    if (contract.requires.length > 0) rows.push(factsRow(text, "called with", contract.requires));
    if (contract.ensures.length > 0) rows.push(factsRow(text, "contract", contractFacts(contract)));
  }
  return rows;
}

function faultWord() {
  return report.verdict === "unsafe" ? "fails" : report.verdict === "unknown" ? "stuck" : "here";
}

/** What is wrong with the line: if possible what stands not in the headline. */
function faultText(fault) {
  const isHere = ({ place }) => place?.file === fault.file && place.line === fault.line;
  return (report.verdict === "unknown" && report.notes.find(isHere)?.text) || report.headline;
}

function sourceLine(file, number, text, parts, fault) {
  const times = source.counts[file]?.get(number);
  const margin = make("span", { class: "count" });
  if (times !== undefined) {
    margin.textContent = times === 0 ? "–" : shortCount(times);
    margin.title = times === 0 ? "never executed" : `executed ${count(times, "time")}`;
    margin.classList.add(times === 0 ? "never" : "some");
  }
  const from = fault ? offsetOf(text, fault.column) : 0;
  const to = fault ? offsetOf(text, fault.end) : 0;
  return make(
    "div",
    { class: fault ? `line faulty ${report.verdict}` : "line", "data-line": number },
    margin,
    make("span", { class: "number" }, String(number)),
    make("span", { class: "text" }, lineParts(parts, from, to, "fault")),
  );
}

/** A row below a line, indented like it. */
function besideLine(text, kind, word, content) {
  const indent = text.length - text.trimStart().length;
  const tag = make("span", { class: "tag" }, word);
  const row = make("span", { class: "text" }, text.slice(0, indent), tag, " ", content);
  return make("div", { class: `line beside ${kind}` }, make("span", { class: "count" }), make("span", { class: "number" }), row);
}

/** The conjuncts of a loop's invariant; where it is C's 0, no run comes. */
function invariantFacts(loop) {
  return loop.invariant.map((fact) => (fact === "0" ? "never reached" : fact));
}

function contractFacts(contract) {
  return contract.ensures.map((fact) => (fact === "0" ? "never returns" : fact));
}

/** What holds at a loop or of a call: on one line if it is short, else a conjunct a line. */
function factsRow(text, word, conjuncts) {
  const whole = conjuncts.join(" && ");
  const facts = whole.length <= 70 ? [whole] : conjuncts;
  const content = make("span", { class: "facts" }, facts.map((fact) => make("code", {}, fact)));
  return besideLine(text, "invariant", word, content);
}

/** Marks a place as the one that is looked at, with values behind its text. */
function showPlace(place, values) {
  for (const element of source.current ?? []) element.remove();
  source.row?.classList.remove("current");
  source.current = null;
  if (!place) return;
  if (place.file !== source.file) showFile(place.file);
  const row = lineRow(place.line);
  if (!row) return;
  row.classList.add("current");
  source.row = row;
  if (values.length > 0) {
    const text = values.map(({ name, value }) => `${name} = ${value}`).join(", ");
    const shown = make("span", { class: "now" }, text);
    row.lastElementChild.append(shown);
    source.current = [shown];
  }
  scrollInto(source.pane, row);
}

/** Scrolls a pane just as far as it takes to see a row well; the page itself stays where it is. */
function scrollInto(pane, row) {
  const box = pane.getBoundingClientRect();
  const seen = row.getBoundingClientRect();
  const slack = Math.min(60, box.height / 4);
  if (seen.top >= box.top + slack && seen.bottom <= box.bottom - slack) return;
  pane.scrollTop += seen.top - box.top - (box.height - seen.height) / 2;
}
