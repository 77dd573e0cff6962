// The failing run as a stepper: the steps, the values at the selected one, and the inputs.

const trace = { rows: [], list: null, slider: null, said: null, values: null, isShort: false };

function buildTrace(panel) {
  if (report.steps.length === 0) {
    panel.append(nothing("steps", "There is no failing run to step through."));
    if (report.inputs.length > 0) panel.append(inputsPart());
    return;
  }
  const last = report.steps.length - 1;
  trace.slider = make("input", {
    type: "range",
    min: 1,
    max: last + 1,
    value: 1,
    id: "slider",
    "aria-label": "Step",
    oninput: () => change({ step: Number(trace.slider.value) - 1 }),
  });
  trace.said = make("output", { class: "said", for: "slider" });
  const button = (sign, name, key, to) =>
    make(
      "button",
      { type: "button", "aria-label": name, title: `${name} (${key})`, onclick: () => change({ step: to() }) },
      sign,
    );
  panel.append(
    make(
      "div",
      { class: "stepper", role: "group", "aria-label": "Stepper" },
      button("«", "First step", "Home", () => 0),
      button("‹", "Previous step", "← or k", () => stepBy(-1)),
      button("›", "Next step", "→ or j", () => stepBy(1)),
      button("»", "Last step", "End", () => last),
      trace.slider,
      trace.said,
      shortList(),
    ),
  );
  trace.values = make("div", { class: "values" });
  trace.list = make("div", { class: "steps", role: "listbox", tabindex: "0", id: "steps", "aria-label": "Steps" });
  let chunk;
  report.steps.forEach((step, index) => {
    if (index % CHUNK_OF_STEPS === 0) trace.list.append((chunk = make("div", { class: "chunk", role: "presentation" })));
    chunk.append(...stepRows(step, index));
  });
  panel.append(
    make(
      "div",
      { class: "trace" },
      trace.list,
      make("div", { class: "beside-steps" }, trace.values, inputsPart()),
    ),
  );
  watch(["step", "tab"], showStep);
}

/** The next step in a direction, -1 or 1, among those that are listed. */
function stepBy(direction) {
  const isListed = (index) => !trace.isShort || report.steps[index].matters;
  let index = state.step + direction;
  while (index in report.steps && !isListed(index)) index += direction;
  return index in report.steps ? index : state.step;
}

/** Lists all steps, or only those that the failure depends on. */
function shortList() {
  const matter = report.steps.filter((step) => step.matters).length;
  if (matter === 0 || matter === report.steps.length) return null;
  const box = make("input", { type: "checkbox", id: "short" });
  box.addEventListener("change", () => {
    trace.isShort = box.checked;
    trace.list.classList.toggle("short", box.checked);
    showStep();
  });
  return make("label", { class: "short", title: "Steps that the failure depends on." }, box, ` only the ${matter} that matter`);
}

const CHUNK_OF_STEPS = 100; // Steps that the browser lays out together, when they are in sight.

/** The rows of a step: what was left out before it, the call it starts, itself. */
function stepRows(step, index) {
  const rows = [];
  const before = report.steps[index - 1];
  const depth = `--depth: ${Math.min(step.indent, 12)}`;
  const recursion = step.recursion;
  const isBack = recursion ? recursion.is_back : before && before.depth > step.depth;
  if (!before || recursion || step.arguments || before.function !== step.function || before.depth !== step.depth) {
    const sign = !before ? "" : isBack ? "↩ back in " : "→ ";
    const values = recursion?.arguments ?? step.arguments ?? [];
    const given = isBack && !recursion ? "" : `(${values.map(({ name, value }) => `${name} = ${value}`).join(", ")})`;
    const which = recursion ? `, call ${recursion.number} of ${recursion.of}` : "";
    const left = recursion ? leftOutOfRecursion(recursion) : "";
    if (left) rows.push(make("div", { class: "fold", style: depth }, `⋯ ${left}`));
    rows.push(make("div", { class: "call", style: depth }, `${sign}${step.function}${given}${which}`));
  }
  const left = [
    step.skipped > 0 ? `${count(step.skipped, "iteration")} of the loop` : "",
    step.left_out > 0 ? count(step.left_out, "line") : "",
  ].filter(Boolean);
  if (left.length > 0) {
    rows.push(make("div", { class: "fold", style: depth }, `⋯ ${left.join(" and ")} left out`));
  }
  const iteration = step.iteration ? make("span", { class: "iteration", title: `iteration ${step.iteration} of the loop` }, `#${step.iteration}`) : null;
  const row = make(
    "div",
    { class: step.matters ? "step matters" : "step", role: "option", id: `step-${index}`, style: depth, "data-step": index },
    make("span", { class: "where" }, step.place ? String(step.place.line) : ""),
    make("code", { class: "what" }, lineText(step.place)),
    iteration,
    make("span", { class: "got" }, step.values.map(assignedText)),
  );
  row.addEventListener("click", () => change({ step: index }));
  trace.rows.push(row);
  return [...rows, row];
}

/** The calls and returns that are not shown before a call of a recursion. */
function leftOutOfRecursion({ skipped, returns }) {
  if (skipped === 0 && returns === 0) return "";
  if (returns === 0) return `×${skipped} deeper`;
  if (skipped === 0) return `×${returns} back`;
  return `${count(skipped, "call")} left out`;
}

function assignedText({ name, value, matters }, index) {
  const text = `${index > 0 ? ", " : ""}${name} = ${value}`;
  return make("span", { class: matters ? "matters" : "" }, text);
}

/** Shows the selected step. */
function showStep() {
  const index = state.step;
  const step = report.steps[index];
  if (!step) return;
  trace.slider.value = String(index + 1);
  trace.slider.setAttribute("aria-valuetext", `step ${index + 1}, ${step.place ? placeText(step.place) : ""}`);
  trace.said.textContent = `${index + 1} / ${report.steps.length}`;
  trace.row?.classList.remove("selected");
  trace.row?.removeAttribute("aria-selected");
  const row = (trace.row = trace.rows[index]);
  row.classList.add("selected");
  row.setAttribute("aria-selected", "true");
  trace.list.setAttribute("aria-activedescendant", row.id);
  scrollInto(trace.list, row);
  trace.values.replaceChildren(...valuesPart(index));
}

/** The values after a step: of the program, and of every call that is active. */
function valuesAt(index) {
  const globals = new Map();
  const frames = [];
  for (let at = 0; at <= index; at++) {
    const step = report.steps[at];
    frames.length = Math.min(frames.length, step.depth + 1);
    while (frames.length <= step.depth) frames.push({ name: step.function, values: new Map() });
    if (frames[step.depth].name !== step.function || (step.arguments && at > 0)) {
      frames[step.depth] = { name: step.function, values: new Map() };
    }
    for (const { name, value, matters, is_global } of [...(step.arguments ?? []), ...step.values]) {
      const values = is_global ? globals : frames[step.depth].values;
      const old = values.get(name);
      values.set(name, { value, matters, at, before: old?.value });
    }
  }
  return { globals, frames };
}

function valuesPart(index) {
  const { globals, frames } = valuesAt(index);
  const groups = frames.reverse().map(({ name, values }) => [name, values]);
  if (globals.size > 0) groups.push(["globals", globals]);
  const full = groups.filter(([, values]) => values.size > 0);
  const heading = make("h3", {}, "Values");
  if (full.length === 0) return [heading, make("p", { class: "nothing" }, "Nothing has a value yet.")];
  const table = make("table", {});
  for (const [name, values] of full) {
    table.append(make("tbody", {}, make("tr", {}, make("th", { colspan: 3, scope: "rowgroup" }, name))));
    for (const [name, entry] of values) table.lastElementChild.append(valueRow(name, entry, index));
  }
  return [heading, table];
}

function valueRow(name, { value, matters, at, before }, index) {
  const isNew = at === index;
  const kinds = [isNew ? "new" : "", matters ? "matters" : ""].filter(Boolean).join(" ");
  const old = isNew && before !== undefined && before !== value ? `was ${before}` : isNew ? "set here" : "";
  return make(
    "tr",
    { class: kinds, title: matters ? "The failure depends on it." : null },
    make("td", {}, make("code", {}, name)),
    make("td", {}, make("code", {}, value)),
    make("td", { class: "old" }, old),
  );
}

const KINDS = { uninitialized: "uninitialised", argument: "argument", external: "external function" };

function inputsPart() {
  const heading = make("h3", {}, "Inputs");
  if (report.inputs.length === 0) {
    return make("div", { class: "inputs" }, heading, make("p", { class: "nothing" }, "The run takes none."));
  }
  const row = (input) =>
    make(
      "tr",
      {},
      make("td", {}, make("code", {}, input.name), KINDS[input.kind] ? ` (${KINDS[input.kind]})` : ""),
      make("td", {}, make("code", {}, input.value)),
      make("td", { class: "old" }, placeLink(input.place)),
    );
  return make("div", { class: "inputs" }, heading, make("table", {}, make("tbody", {}, report.inputs.map(row))));
}

/** Keys that step, wherever the focus is. */
function stepByKey(event) {
  const moves = { ArrowRight: 1, j: 1, ArrowDown: 1, ArrowLeft: -1, k: -1, ArrowUp: -1 };
  const ends = { Home: 0, End: report.steps.length - 1 };
  const isList = event.target === trace.list;
  if (!isList && (event.key === "ArrowDown" || event.key === "ArrowUp")) return;
  if (event.key in moves) change({ step: stepBy(moves[event.key]) });
  else if (event.key in ends) change({ step: ends[event.key] });
  else return;
  event.preventDefault();
}
