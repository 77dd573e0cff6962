// The unwinding as a picture on a canvas. Only what can be seen is drawn: rows are known by their
// depth and sorted from left to right. Far away vertices are signs, near by they are boxes.

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
const READABLE = 0.6; // Boxes are drawn from this scale on.
const SCALES = { least: 0.0005, most: 3 };
const ARCS = 2000; // More covers than that in sight are not drawn.

const picture = { canvas: null, map: null, layout: null, view: { scale: 1, x: 0, y: 0 }, found: [] };

const fateOf = (vertex) => (report.unwinding[vertex].coverer !== undefined ? "covered" : report.unwinding[vertex].fate);
const worldX = (vertex) => picture.layout.x[vertex] * COLUMN;
const worldY = (vertex) => picture.layout.depth[vertex] * ROW;

function buildUnwinding(panel) {
  if (report.unwinding.length === 0) {
    panel.append(nothing("unwinding", "The engine has built no unwinding: the answer came without one."));
    return;
  }
  picture.layout = layTree(report.unwinding.map((vertex) => vertex.parent ?? -1));
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

/** What the signs mean; the picture takes its colours from here. */
function legend() {
  const there = new Map();
  report.unwinding.forEach((_, vertex) => there.set(fateOf(vertex), (there.get(fateOf(vertex)) ?? 0) + 1));
  const item = ([fate, [, means]]) => {
    const sign = make("canvas", { class: `sign fate-${fate.replace(" ", "-")}`, width: 32, height: 32, "data-fate": fate });
    return make("li", {}, sign, ` ${means} (${(there.get(fate) ?? 0).toLocaleString("en")})`);
  };
  const cover = make("li", {}, make("span", { class: "sign arc" }), " cover: to the vertex that covers");
  picture.legend = make("ul", { class: "legend", "aria-label": "Legend" }, Object.entries(FATES).map(item), cover);
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
  const found = { fate: {} };
  for (const sign of picture.legend.querySelectorAll("canvas")) {
    found.fate[sign.dataset.fate] = colourOf(sign);
    const context = sign.getContext("2d");
    context.clearRect(0, 0, 32, 32);
    drawSign(context, sign.dataset.fate, 16, 16, 10, found.fate[sign.dataset.fate], 3);
  }
  found.cover = colourOf(picture.legend.querySelector(".arc"));
  const style = getComputedStyle(picture.canvas);
  [found.text, found.back, found.edge, found.accent] = [style.color, style.backgroundColor, style.borderTopColor, style.outlineColor];
  picture.colours = found;
  return found;
}

// ---- The view

let frameAsked = false;

/** Draws soon, once for all that has changed until then. */
function redraw() {
  if (frameAsked || !picture.canvas) return;
  frameAsked = true;
  requestAnimationFrame(() => {
    frameAsked = false;
    draw();
  });
}

/** Makes the canvas as large as its place; false if it is not shown. */
function fitCanvas() {
  const { canvas } = picture;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0 || height === 0) return false;
  const ratio = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  if (!picture.isPlaced) {
    picture.isPlaced = true;
    placeFirst(width, height);
  }
  return true;
}

/** All of it if that can be read, else the top. */
function placeFirst(width, height) {
  const fit = fitScale(width, height);
  if (state.vertex >= 0) {
    picture.view.scale = Math.max(fit, READABLE + 0.2);
    centreOn(worldX(state.vertex), worldY(state.vertex));
    return;
  }
  const scale = Math.max(fit, READABLE + 0.2);
  picture.view = { scale, x: width / 2 - worldX(0) * scale, y: 40 };
  if (fit >= READABLE) fitAll();
}

function extent() {
  const { left, right, rows } = picture.layout;
  return {
    left: left * COLUMN - BOX.width / 2,
    top: -BOX.height / 2,
    width: (right - left) * COLUMN + BOX.width,
    height: (rows.length - 1) * ROW + BOX.height,
  };
}

function fitScale(width, height) {
  const all = extent();
  const scale = Math.min((width - 24) / all.width, (height - 24) / all.height, 1);
  return Math.max(SCALES.least, scale);
}

function fitAll() {
  const { clientWidth: width, clientHeight: height } = picture.canvas;
  const all = extent();
  const scale = fitScale(width, height);
  picture.view = {
    scale,
    x: width / 2 - (all.left + all.width / 2) * scale,
    y: height / 2 - (all.top + all.height / 2) * scale,
  };
  redraw();
}

/** Zooms; the point of the canvas stays where it is, by default its middle. */
function zoomBy(factor, at = [picture.canvas.clientWidth / 2, picture.canvas.clientHeight / 2]) {
  const { view } = picture;
  const scale = Math.max(SCALES.least, Math.min(SCALES.most, view.scale * factor));
  const change = scale / view.scale;
  picture.view = { scale, x: at[0] - (at[0] - view.x) * change, y: at[1] - (at[1] - view.y) * change };
  redraw();
}

function moveBy(x, y) {
  picture.view.x += x;
  picture.view.y += y;
  redraw();
}

function centreOn(x, y) {
  const { canvas, view } = picture;
  view.x = canvas.clientWidth / 2 - x * view.scale;
  view.y = canvas.clientHeight / 2 - y * view.scale;
  redraw();
}

/** Moves the picture if a vertex is not well in sight. */
function reveal(vertex) {
  redraw();
  if (vertex < 0 || !picture.isPlaced) return;
  const { canvas, view } = picture;
  const [x, y] = [worldX(vertex) * view.scale + view.x, worldY(vertex) * view.scale + view.y];
  const isSeen = x > 40 && y > 30 && x < canvas.clientWidth - 40 && y < canvas.clientHeight - 30;
  if (!isSeen) centreOn(worldX(vertex), worldY(vertex));
}

// ---- Drawing

function draw() {
  const start = performance.now();
  if (!fitCanvas()) return;
  const { canvas, view } = picture;
  const context = canvas.getContext("2d");
  const palette = colours();
  const ratio = canvas.width / canvas.clientWidth;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  const { seen, passing } = inSight();
  drawEdges(context, [...seen, ...passing], palette);
  drawCovers(context, palette);
  if (view.scale >= READABLE) for (const vertex of seen) drawBox(context, vertex, palette);
  else drawSigns(context, seen, palette);
  drawRings(context, palette);
  drawMap(palette);
  // For those who want to know how it goes; the tests do.
  canvas.dataset.view = [view.scale, view.x, view.y].map((number) => number.toFixed(4)).join(" ");
  canvas.dataset.took = (performance.now() - start).toFixed(1);
}

const screenX = (vertex) => worldX(vertex) * picture.view.scale + picture.view.x;
const screenY = (vertex) => worldY(vertex) * picture.view.scale + picture.view.y;

/**
 * The vertices in sight and around it, of those that fall on one point only the first; and those
 * out of sight whose edges from above pass through it.
 */
function inSight() {
  const { view, layout, canvas } = picture;
  const seen = [];
  const passing = [];
  const isPassing = (vertex, side) => {
    const above = report.unwinding[vertex].parent;
    if (above === undefined) return false;
    return side < 0 ? screenX(above) > 0 : screenX(above) < canvas.clientWidth;
  };
  const row = (y) => Math.floor((y - view.y) / view.scale / ROW);
  const from = Math.max(0, row(0) - 1);
  const to = Math.min(layout.rows.length - 1, row(canvas.clientHeight) + 2);
  const rowStride = Math.max(1, Math.floor(0.7 / (ROW * view.scale)));
  for (let depth = from; depth <= to; depth += rowStride) {
    const vertices = layout.rows[depth];
    const left = (-COLUMN * view.scale - view.x) / view.scale / COLUMN;
    let last = -Infinity;
    let at = firstFrom(vertices, left);
    for (let out = at - 1; out >= 0 && isPassing(vertices[out], -1); out--) passing.push(vertices[out]);
    for (; at < vertices.length; at++) {
      const x = screenX(vertices[at]);
      if (x > canvas.clientWidth + COLUMN * view.scale) break;
      if (x - last < 0.7) continue;
      last = x;
      seen.push(vertices[at]);
    }
    for (; at < vertices.length && isPassing(vertices[at], 1); at++) passing.push(vertices[at]);
  }
  return { seen, passing };
}

/** The first place in a row at or behind a column. */
function firstFrom(row, column) {
  let [low, high] = [0, row.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (picture.layout.x[row[middle]] < column) low = middle + 1;
    else high = middle;
  }
  return low;
}

function drawEdges(context, seen, palette) {
  const half = picture.view.scale >= READABLE ? (BOX.height / 2) * picture.view.scale : 0;
  const isSimple = picture.view.scale < 0.15;
  const line = (vertex) => {
    const above = report.unwinding[vertex].parent;
    if (above === undefined) return;
    const [x1, y1, x2, y2] = [screenX(above), screenY(above) + half, screenX(vertex), screenY(vertex) - half];
    context.moveTo(x1, y1);
    if (isSimple) context.lineTo(x2, y2);
    else context.bezierCurveTo(x1, (y1 + y2) / 2, x2, (y1 + y2) / 2, x2, y2);
  };
  context.strokeStyle = palette.edge;
  context.lineWidth = 1;
  context.beginPath();
  seen.forEach(line);
  context.stroke();
  if (state.vertex < 0) return;
  context.strokeStyle = palette.accent;
  context.lineWidth = 2;
  context.beginPath();
  for (let vertex = state.vertex; vertex !== undefined; vertex = report.unwinding[vertex].parent) line(vertex);
  context.stroke();
}

function drawCovers(context, palette) {
  const { view, canvas } = picture;
  const isSeen = (vertex) => {
    const coverer = report.unwinding[vertex].coverer;
    const [x1, x2, y1, y2] = [screenX(vertex), screenX(coverer), screenY(vertex), screenY(coverer)];
    const isOutside = (a, b, size) => Math.max(a, b) < -60 || Math.min(a, b) > size + 60;
    return !isOutside(x1, x2, canvas.clientWidth) && !isOutside(y1, y2, canvas.clientHeight);
  };
  let arcs = picture.covers.filter(isSeen);
  const own = (vertex) => vertex === state.vertex || report.unwinding[vertex].coverer === state.vertex;
  if (arcs.length > ARCS) arcs = arcs.filter(own);
  // Dashes cost a lot, and cannot be told from afar.
  context.setLineDash(view.scale > 0.2 ? [5, 4] : []);
  context.strokeStyle = palette.cover;
  for (const [width, some] of [[1.2, arcs.filter((vertex) => !own(vertex))], [2.2, arcs.filter(own)]]) {
    context.lineWidth = view.scale > 0.2 ? width : width / 2;
    context.beginPath();
    for (const vertex of some) arcTo(context, vertex);
    context.stroke();
  }
  context.setLineDash([]);
  if (view.scale > 0.3) for (const vertex of arcs) arrowHead(context, vertex, palette.cover);
}

/** From the side of a covered vertex to the side of its coverer, bulging outwards. */
function arcPoints(vertex) {
  const coverer = report.unwinding[vertex].coverer;
  const { scale } = picture.view;
  const reach = scale >= READABLE ? (BOX.width / 2) * scale : 7;
  const side = screenX(coverer) > screenX(vertex) ? -1 : 1;
  const from = [screenX(vertex) + side * reach, screenY(vertex)];
  const to = [screenX(coverer) + side * reach, screenY(coverer)];
  const bulge = side * Math.min(90, 24 + Math.abs(from[1] - to[1]) / 6) * Math.min(1, scale * 1.5);
  const outer = side > 0 ? Math.max(from[0], to[0]) : Math.min(from[0], to[0]);
  return { from, to, control: [outer + bulge, (from[1] + to[1]) / 2] };
}

function arcTo(context, vertex) {
  const { from, to, control } = arcPoints(vertex);
  context.moveTo(...from);
  context.quadraticCurveTo(...control, ...to);
}

function arrowHead(context, vertex, colour) {
  const { to, control } = arcPoints(vertex);
  const angle = Math.atan2(to[1] - control[1], to[0] - control[0]);
  const size = Math.min(9, 11 * picture.view.scale);
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(...to);
  for (const turn of [0.45, -0.45]) {
    context.lineTo(to[0] - size * Math.cos(angle + turn), to[1] - size * Math.sin(angle + turn));
  }
  context.fill();
}

/** Signs of constant size; dots where there is no room for them. */
function drawSigns(context, seen, palette) {
  const size = Math.max(1, Math.min(7, COLUMN * picture.view.scale * 0.28));
  if (size >= 2.5) {
    for (const vertex of seen) {
      const fate = fateOf(vertex);
      drawSign(context, fate, screenX(vertex), screenY(vertex), size, palette.fate[fate], 1.5);
    }
    return;
  }
  const byFate = Map.groupBy(seen, fateOf);
  for (const [fate, vertices] of byFate) {
    context.fillStyle = palette.fate[fate] ?? palette.text;
    for (const vertex of vertices) {
      context.fillRect(screenX(vertex) - size / 2, screenY(vertex) - size / 2, Math.max(1, size), Math.max(1, size));
    }
  }
}

/** The sign of a fate, in a circle of a radius. */
function drawSign(context, fate, x, y, radius, colour, width) {
  const [sign] = FATES[fate] ?? FATES.expanded;
  const r = radius;
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  switch (sign) {
    case "dot":
      context.arc(x, y, r * 0.55, 0, 7);
      return context.fill();
    case "ring":
      context.arc(x, y, r * 0.75, 0, 7);
      return context.stroke();
    case "bar":
      context.rect(x - r * 0.8, y - r * 0.8, r * 1.6, r * 1.6);
      context.moveTo(x - r * 0.8, y);
      context.lineTo(x + r * 0.8, y);
      return context.stroke();
    case "diamond":
      context.moveTo(x, y - r);
      for (const [dx, dy] of [[r, 0], [0, r], [-r, 0]]) context.lineTo(x + dx, y + dy);
      context.closePath();
      return context.stroke();
    case "triangle":
      context.moveTo(x, y - r);
      for (const [dx, dy] of [[r, r * 0.8], [-r, r * 0.8]]) context.lineTo(x + dx, y + dy);
      context.closePath();
      return context.fill();
    default:
      context.lineWidth = width * 1.8;
      for (const side of [1, -1]) {
        context.moveTo(x - r * 0.8, y - side * r * 0.8);
        context.lineTo(x + r * 0.8, y + side * r * 0.8);
      }
      return context.stroke();
  }
}

/** A vertex to read: its sign, number and line, and the start of its label. */
function drawBox(context, at, palette) {
  const { scale } = picture.view;
  const vertex = report.unwinding[at];
  const fate = fateOf(at);
  const [width, height] = [BOX.width * scale, BOX.height * scale];
  const [left, top] = [screenX(at) - width / 2, screenY(at) - height / 2];
  context.fillStyle = palette.back;
  context.strokeStyle = palette.fate[fate] ?? palette.edge;
  context.lineWidth = at === state.vertex ? 2.5 : 1;
  context.setLineDash(fate === "covered" ? [4, 3] : []);
  context.beginPath();
  context.roundRect(left, top, width, height, 5 * scale);
  context.fill();
  context.stroke();
  context.setLineDash([]);
  drawSign(context, fate, left + 14 * scale, top + 15 * scale, 6 * scale, palette.fate[fate], 1.5 * scale);
  context.fillStyle = palette.text;
  context.textBaseline = "middle";
  context.font = `600 ${12 * scale}px ui-monospace, Menlo, Consolas, monospace`;
  const place = vertex.place ? placeText(vertex.place) : "";
  const head = [`u${at}`, place || vertex.kind].filter(Boolean).join(" · ");
  context.fillText(clip(head, 18), left + 27 * scale, top + 15 * scale);
  context.font = `${11.5 * scale}px ui-monospace, Menlo, Consolas, monospace`;
  const label = vertex.label?.length > 0 ? vertex.label.join(" && ") : vertex.kind === "error" ? "error" : "true";
  context.globalAlpha = vertex.label?.length > 0 ? 1 : 0.65;
  context.fillText(clip(label, 21), left + 9 * scale, top + 33 * scale);
  context.globalAlpha = 1;
}

function clip(text, length) {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** Rings around the selected vertex, those of the selected event, and those found. */
function drawRings(context, palette) {
  const { scale } = picture.view;
  const ring = (vertex, grow) => {
    if (vertex >= report.unwinding.length) return;
    const [x, y] = [screenX(vertex), screenY(vertex)];
    context.beginPath();
    if (scale >= READABLE) {
      const [width, height] = [BOX.width * scale + grow, BOX.height * scale + grow];
      context.roundRect(x - width / 2, y - height / 2, width, height, 7 * scale);
    } else context.arc(x, y, 6 + grow / 2, 0, 7);
    context.stroke();
  };
  context.strokeStyle = palette.accent;
  context.lineWidth = 2;
  if (state.vertex >= 0) ring(state.vertex, 6);
  context.setLineDash([2, 3]);
  for (const vertex of [...(report.story[state.event]?.vertices ?? []), ...picture.found].slice(0, 500)) ring(vertex, 12);
  context.setLineDash([]);
}

// ---- The small map: all vertices once, and a frame around what is seen

function drawMap(palette) {
  const { map, canvas, view } = picture;
  const all = extent();
  const context = map.getContext("2d");
  const isWhole = all.width * view.scale <= canvas.clientWidth && all.height * view.scale <= canvas.clientHeight;
  map.hidden = isWhole && view.x + all.left * view.scale >= -1 && view.y + all.top * view.scale >= -1;
  if (map.hidden) return;
  const [across, down] = [map.width / all.width, map.height / all.height];
  if (!picture.overview) {
    picture.overview = make("canvas", { width: map.width, height: map.height });
    const dots = picture.overview.getContext("2d");
    report.unwinding.forEach((_, vertex) => {
      dots.fillStyle = palette.fate[fateOf(vertex)] ?? palette.text;
      dots.fillRect((worldX(vertex) - all.left) * across - 0.75, (worldY(vertex) - all.top) * down - 0.75, 1.5, 1.5);
    });
  }
  context.clearRect(0, 0, map.width, map.height);
  context.drawImage(picture.overview, 0, 0);
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  const x = (-view.x / view.scale - all.left) * across;
  const y = (-view.y / view.scale - all.top) * down;
  const width = Math.max(4, (canvas.clientWidth / view.scale) * across);
  const height = Math.max(4, (canvas.clientHeight / view.scale) * down);
  context.strokeRect(x, y, width, height);
}

function jumpOnMap(event) {
  const all = extent();
  const across = event.offsetX / picture.map.clientWidth;
  const down = event.offsetY / picture.map.clientHeight;
  centreOn(all.left + across * all.width, all.top + down * all.height);
  event.preventDefault();
}

// ---- Pointers and keys

/** Drag moves, wheel and two fingers zoom, a click selects. */
function listenToPointers(canvas) {
  const down = new Map();
  let moved = 0;
  const spread = () => {
    const [a, b] = [...down.values()];
    return { size: Math.hypot(a[0] - b[0], a[1] - b[1]), at: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
  };
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    // A pinch on a touch pad comes as a wheel with Ctrl, in small steps.
    const speed = event.ctrlKey ? 0.01 : event.deltaMode === 1 ? 0.05 : 0.0016;
    zoomBy(Math.exp(-event.deltaY * speed), [event.offsetX, event.offsetY]);
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, [event.offsetX, event.offsetY]);
    if (down.size === 1) moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const old = down.get(event.pointerId);
    if (!old) return;
    const [x, y] = [event.offsetX, event.offsetY];
    moved += Math.abs(x - old[0]) + Math.abs(y - old[1]);
    const before = down.size === 2 ? spread() : null;
    down.set(event.pointerId, [x, y]);
    if (before) {
      const after = spread();
      if (before.size > 0) zoomBy(after.size / before.size, after.at);
      moveBy(after.at[0] - before.at[0], after.at[1] - before.at[1]);
    } else if (moved > 3) moveBy(x - old[0], y - old[1]);
  });
  const up = (event) => {
    if (!down.delete(event.pointerId) || event.type === "pointercancel") return;
    if (moved <= 3) select(event.offsetX, event.offsetY);
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
}

/** Selects the vertex at a point of the canvas; a point without one deselects. */
function select(x, y) {
  const { view, layout } = picture;
  const depth = Math.round((y - view.y) / view.scale / ROW);
  const row = layout.rows[depth];
  let best = -1;
  if (row) {
    const column = (x - view.x) / view.scale / COLUMN;
    const at = firstFrom(row, column);
    const distance = (vertex) => Math.abs(layout.x[vertex] - column);
    const near = [row[at - 1], row[at]].filter((vertex) => vertex !== undefined);
    near.sort((a, b) => distance(a) - distance(b));
    const isBox = view.scale >= READABLE;
    const [reachX, reachY] = isBox ? [(BOX.width / 2) * view.scale, (BOX.height / 2) * view.scale] : [12, 12];
    const isNear = distance(near[0]) * COLUMN * view.scale <= reachX && Math.abs(y - screenY(near[0])) <= reachY;
    if (isNear) best = near[0];
  }
  change({ vertex: best });
}

function pictureKey(event) {
  const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.shiftKey && event.key in moves) selectNeighbour(event.key);
  else if (event.key in moves) moveBy(...moves[event.key]);
  else if (event.key === "+" || event.key === "=") zoomBy(1.25);
  else if (event.key === "-") zoomBy(0.8);
  else if (event.key === "0") fitAll();
  else if (event.key === "Escape") change({ vertex: -1 });
  else return;
  event.preventDefault();
}

/** Up to the parent, down to the first child, sideways in the row. */
function selectNeighbour(key) {
  const { layout } = picture;
  const at = state.vertex;
  if (at < 0) return change({ vertex: 0 });
  const row = layout.rows[layout.depth[at]];
  const place = row.indexOf(at);
  const neighbours = {
    ArrowUp: report.unwinding[at].parent,
    ArrowDown: layout.children[at][0],
    ArrowLeft: row[place - 1],
    ArrowRight: row[place + 1],
  };
  change({ vertex: neighbours[key] ?? at });
}
