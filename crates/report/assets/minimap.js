// The small map of the picture: all vertices once, and a frame around what is seen.

function drawMap(palette) {
  const { map, canvas, view } = picture;
  const all = extent();
  const context = map.getContext("2d");
  const [left, top] = [view.x + all.left * shown.across, view.y + all.top * shown.down];
  const [right, bottom] = [left + all.width * shown.across, top + all.height * shown.down];
  map.hidden = left >= -1 && top >= -1 && right <= canvas.clientWidth + 1 && bottom <= canvas.clientHeight + 1;
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
  const x = (-view.x / shown.across - all.left) * across;
  const y = (-view.y / shown.down - all.top) * down;
  const width = Math.max(4, (canvas.clientWidth / shown.across) * across);
  const height = Math.max(4, (canvas.clientHeight / shown.down) * down);
  context.strokeRect(x, y, width, height);
}

function jumpOnMap(event) {
  const all = extent();
  const across = event.offsetX / picture.map.clientWidth;
  const down = event.offsetY / picture.map.clientHeight;
  centreOn(all.left + across * all.width, all.top + down * all.height);
  event.preventDefault();
}
