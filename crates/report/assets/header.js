// The head of the page: the verdict, what it speaks of, how to get it again, what it assumes.

const VERDICTS = {
  safe: { sign: "✓", means: "No run violates the property." },
  unsafe: { sign: "✗", means: "A run violates the property." },
  unknown: { sign: "?", means: "Neither a proof nor a failing run was found." },
};

function buildHeader(top) {
  const { sign, means } = VERDICTS[report.verdict] ?? VERDICTS.unknown;
  const verdict = make(
    "p",
    { class: `verdict ${report.verdict}`, title: means },
    make("span", { "aria-hidden": "true" }, sign),
    report.verdict,
  );
  const headline = make(
    "div",
    { class: "headline" },
    make("h1", {}, ...prose(report.headline)),
    fullPlace(report.place),
  );
  top.append(
    make("div", { class: "bar" }, verdict, headline, make("div", { class: "tools" }, keysButton(), themeButton())),
    make("div", { class: "meta" }, commandLine(), notes(), assumptions()),
  );
}

/** The headline's place with the file's whole name. */
function fullPlace(place) {
  if (!place) return null;
  const text = `${report.files[place.file].name}:${place.line}:${place.column}`;
  const show = () => showPlace(place, []);
  return make("button", { class: "link", id: "headline-place", type: "button", onclick: show }, text);
}

/** The command, and a button that copies it. */
function commandLine() {
  const said = make("span", { class: "said", role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(report.command);
      said.textContent = "copied";
    } catch {
      // No clipboard for pages from files in some browsers: select it for the person to copy.
      getSelection().selectAllChildren(command);
      said.textContent = "selected";
    }
    setTimeout(() => (said.textContent = ""), 1500);
  };
  const command = make("code", { tabindex: "0", "aria-label": "Command" }, report.command);
  return make(
    "div",
    { class: "command" },
    make("span", { class: "prompt", "aria-hidden": "true" }, "$"),
    command,
    make("button", { type: "button", id: "copy", onclick: copy }, "Copy"),
    said,
    make("span", { class: "tool" }, report.tool),
  );
}

function notes() {
  if (report.notes.length + report.help.length === 0) return null;
  const item = (note) => make("li", {}, ...prose(note.text), " ", placeLink(note.place));
  const help = (text) => make("li", { class: "help" }, make("strong", {}, "try: "), ...prose(text));
  return make("ul", { class: "notes", "aria-label": "Notes" }, report.notes.map(item), report.help.map(help));
}

function assumptions() {
  const list = report.assumptions;
  if (list.length === 0) {
    return make("p", { class: "assumptions none" }, "No assumptions.");
  }
  const items = make("ul", {}, list.map((text) => make("li", {}, ...prose(text))));
  const summary = make("summary", {}, `Assumes ${count(list.length, "thing")}`);
  return make("details", { class: "assumptions", open: list.length <= 3 }, summary, items);
}

const KEYS = [
  ["← → or k j", "previous and next step, or event of the story"],
  ["Home End", "first and last step"],
  ["+ − 0", "in the unwinding: zoom in, out, show all"],
  ["arrows", "in the unwinding: move it"],
  ["Shift + arrows", "in the unwinding: go from vertex to vertex"],
  ["Enter", "in the search: the next vertex found"],
];

/** What keys do, in a box of its own. */
function keysButton() {
  const row = ([keys, what]) => make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, keys)), make("td", {}, what));
  const box = make("div", { id: "keys", popover: "auto", "aria-label": "Keys" }, make("table", {}, make("tbody", {}, KEYS.map(row))));
  return [make("button", { type: "button", popovertarget: "keys" }, "Keys"), box];
}

const THEMES = ["auto", "light", "dark"];

/** Switches between the system's theme, light and dark, and remembers it where that is allowed. */
function themeButton() {
  let theme = "auto";
  try {
    theme = localStorage.getItem("cairn-theme") ?? "auto";
  } catch {
    // Pages from files may have no storage.
  }
  if (!THEMES.includes(theme)) theme = "auto";
  const button = make("button", { class: "theme", type: "button", id: "theme" });
  const show = () => {
    document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
    dispatchEvent(new Event("themechange"));
  };
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    try {
      localStorage.setItem("cairn-theme", theme);
    } catch {
      // Then it is forgotten.
    }
    show();
  });
  show();
  return button;
}
