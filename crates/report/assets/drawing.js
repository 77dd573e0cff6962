// Draws the picture: edges, covers, and vertices as signs or boxes. Rows are known by their depth
// and sorted from left to right, so only what can be seen is looked at.

const PASSING = 200; // Vertices out of sight whose edges are drawn, on either side of a row.
const ARCS = 2000; // More covers than that in sight are not drawn.
const MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

function draw() {
  const start = performance.now();
  if (!fitCanvas()) return;
  [shown.across, shown.down] = scales();
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

/** The scales of the frame that is drawn, or was drawn last. */
const shown = { across: 1, down: 1 };
const screenX = (vertex) => worldX(vertex) * shown.across + picture.view.x;
const screenY = (vertex) => worldY(vertex) * shown.down + picture.view.y;

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
  const row = (y) => Math.floor((y - view.y) / shown.down / ROW);
  const from = Math.max(0, row(0) - 1);
  const to = Math.min(layout.rows.length - 1, row(canvas.clientHeight) + 2);
  const rowStride = Math.max(1, Math.floor(0.7 / (ROW * shown.down)));
  for (let depth = from; depth <= to; depth += rowStride) {
    const vertices = layout.rows[depth];
    const left = -1 - view.x / shown.across / COLUMN;
    let last = -Infinity;
    let at = firstFrom(vertices, left);
    const before = Math.max(0, at - PASSING);
    for (let out = at - 1; out >= before && isPassing(vertices[out], -1); out--) passing.push(vertices[out]);
    for (; at < vertices.length; at++) {
      const x = screenX(vertices[at]);
      if (x > canvas.clientWidth + COLUMN * shown.across) break;
      if (x - last < 0.7) continue;
      last = x;
      seen.push(vertices[at]);
    }
    const behind = Math.min(vertices.length, at + PASSING);
    for (; at < behind && isPassing(vertices[at], 1); at++) passing.push(vertices[at]);
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

/** Strokes many lines, some hundreds at a time: one path of thousands takes much longer. */
function strokeEach(context, items, line) {
  for (let from = 0; from < items.length; from += 300) {
    context.beginPath();
    for (const item of items.slice(from, from + 300)) line(item);
    context.stroke();
  }
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
  context.lineWidth = isSimple ? 0.6 : 1;
  strokeEach(context, seen, line);
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
  // Dashes cost a lot, and cannot be told among many lines.
  const isSparse = arcs.length <= 300;
  context.setLineDash(isSparse ? [5, 4] : []);
  context.strokeStyle = palette.cover;
  context.globalAlpha = isSparse ? 1 : 0.5;
  for (const [width, some] of [[1.2, arcs.filter((vertex) => !own(vertex))], [2.2, arcs.filter(own)]]) {
    context.lineWidth = isSparse ? width : width / 2;
    strokeEach(context, some, (vertex) => arcTo(context, vertex));
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
  if (isSparse) for (const vertex of arcs) arrowHead(context, vertex, palette.cover);
}

/** From the side of a covered vertex to the side of its coverer, bulging outwards. */
function arcPoints(vertex) {
  const coverer = report.unwinding[vertex].coverer;
  const { scale } = picture.view;
  const reach = scale >= READABLE ? (BOX.width / 2) * scale : 7;
  const side = screenX(coverer) > screenX(vertex) ? -1 : 1;
  const from = [screenX(vertex) + side * reach, screenY(vertex)];
  const to = [screenX(coverer) + side * reach, screenY(coverer)];
  const bulge = side * Math.min(90, 24 + Math.abs(from[1] - to[1]) / 6) * Math.max(0.4, Math.min(1, scale * 1.5));
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
  const size = Math.max(6, Math.min(9, 11 * picture.view.scale));
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(...to);
  for (const tilt of [0.45, -0.45]) {
    context.lineTo(to[0] - size * Math.cos(angle + tilt), to[1] - size * Math.sin(angle + tilt));
  }
  context.fill();
}

/** Signs of constant size; dots where there is no room for them. */
function drawSigns(context, seen, palette) {
  const size = Math.max(1, Math.min(7, COLUMN * shown.across * 0.28, ROW * shown.down * 0.4));
  if (size >= 2.5) {
    for (const vertex of seen) {
      const fate = fateOf(vertex);
      context.globalAlpha = alphaOf(vertex);
      drawSign(context, fate, screenX(vertex), screenY(vertex), size, palette.fate[fate], 1.5);
    }
    context.globalAlpha = 1;
    drawNames(context, seen, palette);
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

/** Numbers and labels beside the signs, where there is room: to the right, or before the first. */
function drawNames(context, seen, palette) {
  if (ROW * shown.down < 14) return;
  const size = 10;
  context.font = `${size}px ${MONO}`;
  context.textBaseline = "middle";
  context.fillStyle = palette.text;
  // What is behind is kept away from the letters.
  context.strokeStyle = palette.back;
  context.lineWidth = 3;
  const { depth } = picture.layout;
  seen.forEach((vertex, at) => {
    const [before, after] = [seen[at - 1], seen[at + 1]].map((other) => depth[other] === depth[vertex] ? other : undefined);
    const x = screenX(vertex);
    const right = (after === undefined ? picture.canvas.clientWidth : screenX(after)) - x;
    const isRight = right > 60 || before !== undefined;
    const room = Math.floor(((isRight ? right : x) - 22) / (size * 0.61));
    const name = `u${vertex}`;
    if (room < name.length) return;
    const label = (report.unwinding[vertex].label ?? []).join(" && ");
    const text = room < name.length + 5 ? name : clip(`${name} ${label}`.trim(), Math.min(room, 40));
    context.textAlign = isRight ? "left" : "right";
    context.globalAlpha = alphaOf(vertex);
    for (const paint of ["strokeText", "fillText"]) context[paint](text, x + (isRight ? 10 : -10), screenY(vertex));
  });
  context.textAlign = "start";
  context.globalAlpha = 1;
}

/** Vertices on which nothing depends any more are faded. */
const alphaOf = (vertex) => (picture.isIdle[vertex] && vertex !== state.vertex ? 0.4 : 1);

/** The sign of a fate, in a circle of a radius. */
function drawSign(context, fate, x, y, radius, colour, width) {
  const [sign] = FATES[fate] ?? FATES.expanded;
  const r = radius;
  const isHollow = ["ring", "bar", "diamond"].includes(sign);
  context.strokeStyle = colour;
  context.fillStyle = isHollow ? colours().back : colour;
  context.lineWidth = width;
  context.beginPath();
  switch (sign) {
    case "dot":
      context.arc(x, y, r * 0.55, 0, 7);
      return context.fill();
    case "ring":
      context.arc(x, y, r * 0.75, 0, 7);
      break;
    case "bar":
      context.rect(x - r * 0.8, y - r * 0.8, r * 1.6, r * 1.6);
      context.moveTo(x - r * 0.8, y);
      context.lineTo(x + r * 0.8, y);
      break;
    case "diamond":
      context.moveTo(x, y - r);
      for (const [dx, dy] of [[r, 0], [0, r], [-r, 0]]) context.lineTo(x + dx, y + dy);
      context.closePath();
      break;
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
  }
  if (isHollow) context.fill();
  context.stroke();
}

/** A vertex to read: its sign, number and line, and the start of its label. */
function drawBox(context, at, palette) {
  const { scale } = picture.view;
  const vertex = report.unwinding[at];
  const fate = fateOf(at);
  const [width, height] = [BOX.width * scale, BOX.height * scale];
  const [left, top] = [screenX(at) - width / 2, screenY(at) - height / 2];
  context.globalAlpha = alphaOf(at);
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
  context.font = `600 ${12 * scale}px ${MONO}`;
  const place = vertex.place ? placeText(vertex.place) : "";
  const head = [`u${at}`, place || vertex.kind].filter(Boolean).join(" · ");
  context.fillText(clip(head, 18), left + 27 * scale, top + 15 * scale);
  context.font = `${11.5 * scale}px ${MONO}`;
  const label = vertex.label?.length > 0 ? vertex.label.join(" && ") : vertex.kind === "error" ? "error" : "true";
  context.globalAlpha = alphaOf(at) * (vertex.label?.length > 0 ? 1 : 0.65);
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
