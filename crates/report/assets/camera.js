// Which part of the picture is seen, and how large: zooming, moving, fitting.

const READABLE = 0.6; // Vertices are boxes with text from this scale on.
const SCALES = { least: 0.0005, most: 3 };

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
    bend(width, height);
  }
  if (!picture.isPlaced) {
    picture.isPlaced = true;
    placeFirst(width, height);
  }
  return true;
}

/** The selected vertex, or all of it. */
function placeFirst(width, height) {
  if (state.vertex < 0) return fitAll();
  picture.view.scale = Math.max(Math.min(...fitScales(width, height)), READABLE + 0.2);
  centreOn(worldX(state.vertex), worldY(state.vertex));
}

/**
 * Trees are much wider than deep, or deeper than wide: from afar they would be lines. So below the
 * scale at which vertices can be read the two directions shrink each at its own pace, such that
 * the whole tree fills the canvas.
 */
function bend(width, height) {
  const fits = fitScales(width, height).map((scale) => Math.min(scale, READABLE * 0.98));
  const least = Math.log(Math.min(...fits) / READABLE);
  picture.bend = fits.map((scale) => Math.max(0.15, Math.log(scale / READABLE) / least));
}

/** How much is shown of the two directions. */
function scales() {
  const { scale } = picture.view;
  if (scale >= READABLE) return [scale, scale];
  return picture.bend.map((power) => READABLE * (scale / READABLE) ** power);
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

function fitScales(width, height) {
  const all = extent();
  const fits = [(width - 24) / all.width, (height - 24) / all.height];
  return fits.map((scale) => Math.max(SCALES.least, Math.min(1, scale)));
}

function fitAll() {
  const { clientWidth: width, clientHeight: height } = picture.canvas;
  const all = extent();
  picture.view.scale = Math.min(...fitScales(width, height));
  centreOn(all.left + all.width / 2, all.top + all.height / 2);
}

/** Zooms; the point of the canvas stays where it is, by default its middle. */
function zoomBy(factor, at = [picture.canvas.clientWidth / 2, picture.canvas.clientHeight / 2]) {
  const { view } = picture;
  const before = scales();
  view.scale = Math.max(SCALES.least, Math.min(SCALES.most, view.scale * factor));
  const [across, down] = scales().map((scale, axis) => scale / before[axis]);
  view.x = at[0] - (at[0] - view.x) * across;
  view.y = at[1] - (at[1] - view.y) * down;
  redraw();
}

function moveBy(x, y) {
  picture.view.x += x;
  picture.view.y += y;
  redraw();
}

function centreOn(x, y) {
  const { canvas, view } = picture;
  const [across, down] = scales();
  view.x = canvas.clientWidth / 2 - x * across;
  view.y = canvas.clientHeight / 2 - y * down;
  redraw();
}

/** Moves the picture if a vertex is not well in sight. */
function reveal(vertex) {
  redraw();
  if (vertex < 0 || !picture.isPlaced) return;
  const { canvas } = picture;
  const [across, down] = scales();
  const [x, y] = [worldX(vertex) * across + picture.view.x, worldY(vertex) * down + picture.view.y];
  const isSeen = x > 40 && y > 30 && x < canvas.clientWidth - 40 && y < canvas.clientHeight - 30;
  if (!isSeen) centreOn(worldX(vertex), worldY(vertex));
}
