// Pointers and keys on the picture.

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
  const depth = Math.round((y - view.y) / shown.down / ROW);
  const row = layout.rows[depth];
  let best = -1;
  if (row) {
    const column = (x - view.x) / shown.across / COLUMN;
    const at = firstFrom(row, column);
    const distance = (vertex) => Math.abs(layout.x[vertex] - column);
    const near = [row[at - 1], row[at]].filter((vertex) => vertex !== undefined);
    near.sort((a, b) => distance(a) - distance(b));
    const isBox = view.scale >= READABLE;
    const [reachX, reachY] = isBox ? [(BOX.width / 2) * view.scale, (BOX.height / 2) * view.scale] : [12, 12];
    const isNear = distance(near[0]) * COLUMN * shown.across <= reachX && Math.abs(y - screenY(near[0])) <= reachY;
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
