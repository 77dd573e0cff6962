// Beside the picture: what is known of the selected vertex, and the search for vertices.

const details = { box: null, said: null };

function buildDetails() {
  details.box = make("div", { class: "details", "aria-live": "polite", id: "details" });
  watch(["vertex"], showVertex);
  showVertex();
  return details.box;
}

function vertexLink(vertex) {
  const show = () => change({ vertex, tab: "unwinding" });
  return make("button", { class: "link", type: "button", onclick: show }, `u${vertex}`);
}

/** Links to at most 12 vertices. */
function vertexLinks(vertices) {
  const links = vertices.slice(0, 12).flatMap((vertex) => [vertexLink(vertex), " "]);
  return vertices.length > 12 ? [...links, `and ${vertices.length - 12} more`] : links;
}

function showVertex() {
  const vertex = report.unwinding[state.vertex];
  if (!vertex) {
    details.box.replaceChildren(
      make("p", { class: "nothing" }, "Click a vertex to see its label. Drag to move, wheel or +/− to zoom, 0 to fit."),
    );
    return;
  }
  const fate = fateOf(state.vertex);
  const covered = picture.covers.filter((other) => report.unwinding[other].coverer === state.vertex);
  const label = vertex.label ?? [];
  const rows = [
    ["fate", vertex.coverer === undefined ? fate : ["covered by ", vertexLink(vertex.coverer)]],
    ["faded", picture.isIdle[state.vertex] ? "a vertex above is covered, so nothing depends on this one" : null],
    ["label", make("span", { class: "facts" }, (label.length > 0 ? label : ["true"]).map((fact) => make("code", {}, fact)))],
    ["remark", vertex.remark ? prose(vertex.remark) : null],
    ["above", vertex.parent === undefined ? null : vertexLink(vertex.parent)],
    ["below", vertexLinks(picture.layout.children[state.vertex])],
    ["covers", vertexLinks(covered)],
  ];
  const row = ([name, content]) => {
    if (content === null || content.length === 0) return [];
    return [make("dt", {}, name), make("dd", {}, content)];
  };
  const code = lineText(vertex.place);
  const head = [make("strong", {}, `u${state.vertex}`), " ", vertex.kind, " ", placeLink(vertex.place), " ", code ? make("code", {}, code) : null];
  details.box.replaceChildren(make("p", { class: "vertex-head" }, head), make("dl", {}, rows.flatMap(row)));
}

/** Finds vertices by number, line, fate or label; Enter goes from one to the next. */
function searchField() {
  const field = make("input", {
    type: "search",
    id: "search",
    placeholder: "u12, line 9, i <= n …",
    "aria-label": "Find vertices by number, line, fate or label",
  });
  details.said = make("span", { class: "said", role: "status" });
  field.addEventListener("input", () => {
    picture.found = findVertices(field.value.trim().toLowerCase());
    details.said.textContent = field.value.trim() === "" ? "" : `${picture.found.length.toLocaleString("en")} found`;
    redraw();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || picture.found.length === 0) return;
    const at = picture.found.indexOf(state.vertex) + (event.shiftKey ? -1 : 1);
    change({ vertex: picture.found.at(at % picture.found.length) });
    event.preventDefault();
  });
  return make("span", { class: "search" }, field, details.said);
}

function findVertices(wanted) {
  if (wanted === "") return [];
  const number = /^u?(\d+)$/.exec(wanted);
  if (number && Number(number[1]) < report.unwinding.length) return [Number(number[1])];
  const line = /^line (\d+)$/.exec(wanted);
  const fits = (vertex, at) => {
    if (line) return vertex.place?.line === Number(line[1]);
    const words = [fateOf(at), vertex.kind, vertex.remark ?? "", ...(vertex.label ?? [])];
    return words.some((word) => word.toLowerCase().includes(wanted));
  };
  return report.unwinding.flatMap((vertex, at) => (fits(vertex, at) ? [at] : []));
}
