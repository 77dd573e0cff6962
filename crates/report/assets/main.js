// Puts the page together: tabs, the line that is looked at, keys, the address.

const TABS = [
  { name: "trace", title: "Trace", build: buildTrace, size: report.steps.length },
  { name: "unwinding", title: "Unwinding", build: buildUnwinding, size: report.unwinding.length },
  { name: "loops", title: "Loops", build: buildLoops, size: report.loops.length },
  { name: "story", title: "Story", build: buildStory, size: report.story.length },
  { name: "statistics", title: "Statistics", build: buildStatistics, size: 0 },
];

function buildSide(side) {
  const tabs = make("div", { role: "tablist", class: "tabs", "aria-label": "Evidence" });
  side.append(tabs);
  // Before the parts are told, so that they can measure themselves.
  watch(["tab"], showTab);
  for (const tab of TABS) {
    const number = tab.size > 0 ? make("span", { class: "size" }, tab.size.toLocaleString("en")) : null;
    tab.button = make(
      "button",
      { role: "tab", type: "button", id: `tab-${tab.name}`, "aria-controls": `panel-${tab.name}`, onclick: () => change({ tab: tab.name }) },
      tab.title,
      number,
    );
    tab.panel = make("div", { role: "tabpanel", class: `panel ${tab.name}`, id: `panel-${tab.name}`, "aria-labelledby": `tab-${tab.name}`, hidden: true, "data-title": tab.title });
    tabs.append(tab.button);
    side.append(tab.panel);
    tab.build(tab.panel);
  }
  tabs.addEventListener("keydown", tabByKey);
}

function showTab() {
  for (const tab of TABS) {
    const isShown = tab.name === state.tab;
    tab.panel.hidden = !isShown;
    tab.button.setAttribute("aria-selected", String(isShown));
    tab.button.tabIndex = isShown ? 0 : -1;
    if (isShown) tab.button.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

/** Arrow keys, Home and End go from tab to tab while one has the focus. */
function tabByKey(event) {
  const at = TABS.findIndex((tab) => tab.name === state.tab);
  const places = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 };
  if (!(event.key in places)) return;
  const tab = TABS.at(places[event.key] % TABS.length);
  change({ tab: tab.name });
  tab.button.focus();
  event.preventDefault();
}

/** The line of what is selected in the tab that is open. */
function showLooked() {
  const step = report.steps[state.step];
  const looked = {
    trace: [step?.place, step?.values ?? []],
    unwinding: [report.unwinding[state.vertex]?.place, []],
    story: [report.story[state.event]?.place, []],
  };
  const [place, values] = looked[state.tab] ?? [null, []];
  showPlace(place, values);
}

/** Keys that work wherever the focus is, unless what has it wants them. */
function pageKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea, canvas, [role=tablist], [role=separator], .code")) return;
  if (state.tab === "trace" && report.steps.length > 0) stepByKey(event);
  else if (state.tab === "story" && report.story.length > 0) eventByKey(event);
}

/** The width of the source, by pointer or keys. */
function listenToSplitter(splitter, main) {
  const set = (percent) => {
    const width = Math.max(20, Math.min(80, percent));
    main.style.setProperty("--source-width", `${width}%`);
    splitter.setAttribute("aria-valuenow", String(Math.round(width)));
  };
  const now = () => Number(splitter.getAttribute("aria-valuenow"));
  splitter.setAttribute("aria-valuemin", "20");
  splitter.setAttribute("aria-valuemax", "80");
  set(52);
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  splitter.addEventListener("pointermove", (event) => {
    if (!splitter.hasPointerCapture(event.pointerId)) return;
    const box = main.getBoundingClientRect();
    set((100 * (event.clientX - box.left)) / box.width);
  });
  splitter.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: -2, ArrowRight: 2 };
    if (!(event.key in moves)) return;
    set(now() + moves[event.key]);
    event.preventDefault();
  });
}

/** The tab that says most about the verdict. */
function firstTab() {
  const has = (name) => TABS.some((tab) => tab.name === name && tab.size > 0);
  if (TABS.some((tab) => tab.name === report.first)) return report.first;
  const wishes = { safe: ["loops", "story", "unwinding"], unknown: ["story", "unwinding", "loops"] };
  const wish = (wishes[report.verdict] ?? []).find(has);
  return report.verdict === "unsafe" ? "trace" : (wish ?? "statistics");
}

function followAddress() {
  const asked = stateOfAddress();
  if (asked.tab !== undefined && !TABS.some((tab) => tab.name === asked.tab)) delete asked.tab;
  change(asked);
}

buildHeader(document.getElementById("top"));
buildSource(document.getElementById("source"));
buildSide(document.getElementById("side"));
listenToSplitter(document.getElementById("splitter"), document.getElementById("main"));
watch(["tab", "step", "vertex", "event"], showLooked);
change({ tab: firstTab(), step: report.steps.length - 1 });
followAddress();
if (report.place && !TABS.some((tab) => tab.name === "trace" && tab.size > 0)) {
  const row = lineRow(report.place.line);
  if (row) scrollInto(source.pane, row);
}
watch(["tab", "step", "vertex", "event"], writeAddress);
addEventListener("hashchange", followAddress);
addEventListener("keydown", pageKey);
document.documentElement.dataset.ready = "true";
