// The parts that are lists: loops, the story of the search, statistics.

function buildLoops(panel) {
  if (report.loops.length === 0) {
    panel.append(nothing("loops", "Nothing is known of loops: there are none, or no part of the answer rests on them."));
    return;
  }
  panel.append(...report.loops.map(loopCard));
}

function loopCard(loop) {
  const head = make("h3", {}, make("code", {}, lineText(loop.place) || "loop"));
  const where = make("p", { class: "where" }, "in ", make("code", {}, loop.function), " ", placeLink(loop.place));
  const card = make("article", { class: "card loop" }, head, where);
  card.append(make("h4", {}, "Invariant"));
  if (loop.invariant.length > 0) {
    card.append(factList(invariantFacts(loop)));
  } else {
    const why = report.verdict === "safe" ? "The proof says nothing of this loop that C can express." : "Invariants are part of proofs, and there is no proof.";
    card.append(make("p", { class: "nothing" }, why));
  }
  if (loop.intro || loop.summary.length + loop.always.length > 0) card.append(...summaryPart(loop));
  return card;
}

/** What any number of iterations does, case by case. */
function summaryPart(loop) {
  const exact = loop.exact
    ? make("span", { class: "badge exact", title: "Exactly what some number of iterations does." }, "exact")
    : make("span", { class: "badge", title: "Whatever the iterations do lies within, and perhaps more does." }, "at most this");
  const word = (index) => make("span", { class: "case" }, index === 0 ? "either" : "or");
  const cases = loop.summary.map((facts, index) => make("li", {}, word(index), factList(facts)));
  const intro = (loop.intro || "Any number of iterations").replace(/:$/, "");
  const parts = [make("h4", {}, ...prose(intro), " ", exact)];
  if (loop.always.length > 0) parts.push(factList(loop.always));
  if (cases.length > 0) parts.push(make("ol", { class: "cases" }, cases.slice(0, CASES)));
  if (cases.length > CASES) {
    const summary = make("summary", {}, `${cases.length - CASES} more cases`);
    parts.push(make("details", {}, summary, make("ol", { class: "cases" }, cases.slice(CASES))));
  }
  return parts;
}

const CASES = 5; // Cases of a summary that are shown at once.

function factList(facts) {
  const items = (facts.length > 0 ? facts : ["true"]).map((fact) => make("li", {}, factText(fact)));
  const list = make("ul", { class: "facts" }, items.slice(0, FACTS));
  if (items.length <= FACTS) return list;
  const summary = make("summary", {}, `${(items.length - FACTS).toLocaleString("en")} more`);
  return make("div", {}, list, make("details", {}, summary, make("ul", { class: "facts" }, items.slice(FACTS))));
}

const FACTS = 16; // Facts of one event or loop that are shown at once.
const LONG = 240; // Facts of more characters are folded.

function factText(fact) {
  if (fact.length <= LONG) return make("code", {}, fact);
  const summary = make("summary", {}, make("code", {}, `${fact.slice(0, 80)}…`), ` ${count(fact.length, "character")}`);
  return make("details", {}, summary, make("code", {}, fact));
}

const CHUNK = 400; // Events that are added to the list at a time.

const story = { list: null, rows: new Map(), shown: 0, kinds: new Set() };

function buildStory(panel) {
  if (report.story.length === 0) {
    panel.append(nothing("story", "The engine has kept no record of what it did."));
    return;
  }
  story.list = make("ol", { class: "story", id: "story" });
  story.more = make("button", { type: "button", class: "more", onclick: () => moreStory(CHUNK) });
  panel.append(storyFilter(), story.list, story.more);
  moreStory(CHUNK);
  watch(["event"], showEvent);
}

/** Which kinds of events to list. */
function storyFilter() {
  const kinds = Map.groupBy(report.story, (event) => event.kind);
  story.kinds = new Set(kinds.keys());
  // Phases say little where there is more to tell.
  if (kinds.size > 1) story.kinds.delete("phase");
  const button = ([kind, events]) => {
    const toggle = () => {
      if (!story.kinds.delete(kind)) story.kinds.add(kind);
      made.setAttribute("aria-pressed", String(story.kinds.has(kind)));
      story.list.replaceChildren();
      story.rows.clear();
      story.shown = 0;
      moreStory(CHUNK);
    };
    const made = make("button", { type: "button", class: "chip", "aria-pressed": String(story.kinds.has(kind)), onclick: toggle }, `${kind} ${events.length.toLocaleString("en")}`);
    return made;
  };
  return make("div", { class: "chips", role: "group", "aria-label": "Kinds of events" }, [...kinds].map(button));
}

/** Lists so many more events. */
function moreStory(number) {
  let left = number;
  for (; story.shown < report.story.length && left > 0; story.shown++) {
    const event = report.story[story.shown];
    if (!story.kinds.has(event.kind)) continue;
    story.list.append(eventRow(event, story.shown));
    left -= 1;
  }
  const rest = report.story.length - story.shown;
  story.more.hidden = rest === 0;
  story.more.textContent = `Show more (${rest.toLocaleString("en")} left)`;
  showEvent();
}

function eventRow(event, index) {
  const choose = (click) => {
    if (!click.target.closest("button.link")) change({ event: index });
  };
  const key = (press) => {
    if (press.target === row && (press.key === "Enter" || press.key === " ")) {
      change({ event: index });
      press.preventDefault();
    }
  };
  const vertices = event.vertices.filter((vertex) => vertex < report.unwinding.length);
  const row = make(
    "li",
    { class: "event", tabindex: "0", "data-event": index, value: index + 1, onclick: choose, onkeydown: key },
    make("p", {}, make("span", { class: "kind" }, event.kind), " ", ...prose(event.text), " ", placeLink(event.place)),
    event.facts.length > 0 ? factList(event.facts) : null,
    vertices.length > 0 ? make("p", { class: "where" }, vertexLinks(vertices)) : null,
  );
  story.rows.set(index, row);
  return row;
}

function showEvent() {
  story.list.querySelector(".selected")?.classList.remove("selected");
  story.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (state.event < 0) return;
  if (state.event >= story.shown) return moreStory(state.event - story.shown + CHUNK);
  const row = story.rows.get(state.event);
  if (!row) return;
  row.classList.add("selected");
  row.setAttribute("aria-current", "true");
  if (state.tab === "story") scrollInto(story.list.parentElement, row);
}

/** The next or previous event that is listed. */
function eventByKey(event) {
  const moves = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 };
  const listed = [...story.rows.keys()];
  const at = listed.indexOf(state.event);
  const ends = { Home: listed[0], End: listed.at(-1) };
  const wanted = event.key in moves ? listed[at < 0 ? 0 : at + moves[event.key]] : ends[event.key];
  if (wanted === undefined) return;
  change({ event: wanted });
  event.preventDefault();
}

function buildStatistics(panel) {
  const rows = report.statistics.map(([name, value]) =>
    make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, value)),
  );
  if (report.timings.length > 0) panel.append(make("h3", {}, "Time"), timingsPart());
  if (rows.length > 0) panel.append(make("h3", {}, "Numbers"), make("table", { class: "statistics" }, make("tbody", {}, rows)));
  if (panel.childElementCount === 0) panel.append(nothing("statistics", "Nothing was measured."));
}

/** Phases as bars over the same time axis, one after the other. */
function timingsPart() {
  const total = report.timings.reduce((sum, [, seconds]) => sum + seconds, 0);
  const part = (seconds) => (total > 0 ? (100 * seconds) / total : 0);
  let before = 0;
  const row = ([name, seconds]) => {
    const place = `left: ${part(before)}%; width: max(2px, ${part(seconds)}%)`;
    before += seconds;
    const bar = make("span", { class: "track", "aria-hidden": "true" }, make("span", { class: "fill", style: place }));
    return make("tr", {}, make("th", { scope: "row" }, name), make("td", { class: "track-cell" }, bar), make("td", {}, secondsText(seconds)));
  };
  const sum = make("tr", { class: "sum" }, make("th", { scope: "row" }, "All"), make("td", {}), make("td", {}, secondsText(total)));
  return make("table", { class: "timings" }, make("tbody", {}, report.timings.map(row), sum));
}

function secondsText(seconds) {
  return seconds >= 1 ? `${seconds.toFixed(2)} s` : `${(seconds * 1000).toFixed(seconds >= 0.01 ? 0 : 1)} ms`;
}
