// The data, the state of the page, and how elements are made. The files of this script are one
// function; header.js to tables.js make the parts of the page, main.js puts them together.

/** The report; crates/report/src/answer.rs says what is in it. */
const report = JSON.parse(document.getElementById("data").textContent);

/** An element. Strings among the children become text, never markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** A sentence; what stands between backticks is code. */
function prose(text) {
  const part = (piece, index) => (index % 2 === 1 ? make("code", {}, piece) : piece);
  return text.split("`").map(part).filter((piece) => piece !== "");
}

/** `1 iteration`, `2 iterations`, with thousands separated. */
function count(number, word, plural = `${word}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? word : plural}`;
}

/** Why a part of the report is empty. */
function nothing(field, otherwise) {
  return make("p", { class: "nothing" }, ...prose(report.missing[field] ?? otherwise));
}

/** What is selected. -1 stands for nothing. */
const state = { tab: "", step: -1, vertex: -1, event: -1 };
const watchers = [];

/** Calls `action` whenever one of these parts of the state has changed. */
function watch(names, action) {
  watchers.push({ names, action });
}

/** Changes the state and tells whom it concerns. */
function change(changes) {
  const changed = Object.keys(changes).filter((name) => state[name] !== changes[name]);
  Object.assign(state, changes);
  if (changed.length === 0) return;
  for (const { names, action } of watchers) {
    if (names.some((name) => changed.includes(name))) action();
  }
}

/** The lengths of what the numbers in the state select from. */
const lengths = {
  step: report.steps.length,
  vertex: report.unwinding.length,
  event: report.story.length,
};

/** The state that the address asks for: `#tab=trace&step=3`, counted from 0. */
function stateOfAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const found = {};
  if (asked.has("tab")) found.tab = asked.get("tab");
  for (const [name, length] of Object.entries(lengths)) {
    const number = Number.parseInt(asked.get(name) ?? "", 10);
    if (number >= 0 && number < length) found[name] = number;
  }
  return found;
}

let waiting = 0;

/** Puts the state into the address, once things have calmed down: browsers limit how often. */
function writeAddress() {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const words = new URLSearchParams({ tab: state.tab });
    for (const name of Object.keys(lengths)) {
      if (state[name] >= 0) words.set(name, state[name]);
    }
    const hash = `#${words}`;
    if (hash !== location.hash) history.replaceState(null, "", hash);
  }, 150);
}

/** A place as text: `12` in the only file, `a.c:12` otherwise. */
function placeText(place) {
  const name = report.files.length > 1 ? `${shortName(report.files[place.file].name)}:` : "line ";
  return `${name}${place.line}`;
}

/** A file's name without its folders. */
function shortName(name) {
  return name.split("/").pop();
}

/** A link to a place in the source; nothing if there is no place. */
function placeLink(place) {
  if (!place) return null;
  const show = () => showPlace(place, []);
  return make("button", { class: "link", type: "button", onclick: show }, placeText(place));
}

/** The text of a place's line, without indentation. */
function lineText(place) {
  return (place && report.files[place.file]?.lines[place.line - 1]?.trim()) || "";
}
