// The unwinding as a picture on a canvas, with tools above and a legend below. Far away vertices are
// signs, near by they are boxes; camera.js says what is seen, drawing.js draws it.

/** What has become of a vertex: its sign, and what it means. The style gives the colours. */
const FATES = {
  expanded: ["dot", "expanded: has vertices below"],
  covered: ["diamond", "covered by another vertex"],
  "dead end": ["bar", "dead end: no error from here"],
  open: ["ring", "open: not looked at"],
  stuck: ["triangle", "stuck: undecided"],
  failed: ["cross", "failed: the error is reached"],
};
const COLUMN = 184; // Between neighbours, at scale 1.
const ROW = 92;
const BOX = { width: 164, height: 46 };

const picture = { canvas: null, map: null, layout: null, view: { scale: 1, x: 0, y: 0 }, bend: [1, 1], found: [] };

const fateOf = (vertex) => (report.unwinding[vertex].coverer !== undefined ? "covered" : report.unwinding[vertex].fate);
const worldX = (vertex) => picture.layout.x[vertex] * COLUMN;
const worldY = (vertex) => picture.layout.depth[vertex] * ROW;

function buildUnwinding(panel) {
  if (report.unwinding.length === 0) {
    panel.append(nothing("unwinding", "The engine has built no unwinding: the answer came without one."));
    return;
  }
  picture.layout = layTree(report.unwinding.map((vertex) => vertex.parent ?? -1));
  picture.isIdle = idleVertices();
  picture.covers = report.unwinding.flatMap((vertex, at) => (vertex.coverer === undefined ? [] : [at]));
  picture.canvas = make("canvas", {
    id: "picture",
    tabindex: "0",
    role: "img",
    "aria-label":
      `Unwinding of ${count(report.unwinding.length, "vertex", "vertices")}. Arrow keys move it, plus and minus ` +
      "zoom, 0 fits it. With Shift, arrow keys go from vertex to vertex.",
  });
  picture.map = make("canvas", { class: "minimap", "aria-hidden": "true", width: 132, height: 88 });
  const frame = make("div", { class: "frame" }, picture.canvas, picture.map);
  panel.append(toolbar(), frame, buildDetails(), legend());
  new ResizeObserver(redraw).observe(frame);
  for (const name of ["themechange", "beforeprint"]) addEventListener(name, forgetColours);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", forgetColours);
  watch(["vertex"], () => reveal(state.vertex));
  watch(["event", "tab"], redraw);
  listenToPointers(picture.canvas);
  picture.canvas.addEventListener("keydown", pictureKey);
  picture.map.addEventListener("pointerdown", jumpOnMap);
}

function toolbar() {
  const button = (sign, name, action) =>
    make("button", { type: "button", "aria-label": name, title: name, onclick: action }, sign);
  return make(
    "div",
    { class: "toolbar" },
    button("+", "Zoom in (+)", () => zoomBy(1.4)),
    button("−", "Zoom out (−)", () => zoomBy(1 / 1.4)),
    button("Fit", "Show all (0)", fitAll),
    searchField(),
    make("span", { class: "key" }, count(report.unwinding.length, "vertex", "vertices"), ", ", count(picture.covers.length, "cover")),
  );
}

/** By vertex, whether it stands below a covered one: nothing depends on it any more. */
function idleVertices() {
  const isIdle = new Array(report.unwinding.length).fill(false);
  for (const row of picture.layout.rows) {
    for (const vertex of row) {
      const above = report.unwinding[vertex].parent;
      isIdle[vertex] = above !== undefined && (isIdle[above] || report.unwinding[above].coverer !== undefined);
    }
  }
  return isIdle;
}

/** What the signs mean; the picture takes its colours from here. */
function legend() {
  const there = new Map();
  const add = (word) => there.set(word, (there.get(word) ?? 0) + 1);
  report.unwinding.forEach((_, vertex) => add(picture.isIdle[vertex] ? "idle" : fateOf(vertex)));
  const item = ([fate, [, means]]) => {
    const sign = make("canvas", { class: `sign fate-${fate.replace(" ", "-")}`, width: 32, height: 32, "data-fate": fate });
    return make("li", {}, sign, ` ${means} (${(there.get(fate) ?? 0).toLocaleString("en")})`);
  };
  const cover = make("li", {}, make("span", { class: "sign arc" }), " cover: to the vertex that covers");
  const idle = make("li", {}, make("span", { class: "idle" }, "faded"), ` below a covered vertex (${(there.get("idle") ?? 0).toLocaleString("en")})`);
  const items = [...Object.entries(FATES).map(item), cover, idle];
  picture.legend = make("ul", { class: "legend", "aria-label": "Legend" }, items);
  return picture.legend;
}

// ---- Colours

function forgetColours() {
  picture.colours = null;
  picture.overview = null;
  redraw();
}

function colours() {
  if (picture.colours) return picture.colours;
  const colourOf = (element) => getComputedStyle(element).color;
  const style = getComputedStyle(picture.canvas);
  const found = {
    fate: {},
    cover: colourOf(picture.legend.querySelector(".arc")),
    text: style.color,
    back: style.backgroundColor,
    edge: style.borderTopColor,
    accent: style.outlineColor,
  };
  picture.colours = found;
  for (const sign of picture.legend.querySelectorAll("canvas")) {
    const { fate } = sign.dataset;
    found.fate[fate] = colourOf(sign);
    const context = sign.getContext("2d");
    context.clearRect(0, 0, 32, 32);
    drawSign(context, fate, 16, 16, 10, found.fate[fate], 3);
  }
  return found;
}
