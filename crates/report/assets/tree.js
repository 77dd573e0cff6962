// Where the vertices of a tree go: the tidy layout of Walker, in linear time as by Buchheim,
// Jünger and Leipert, without recursion, for trees that are ten thousands of vertices deep.

/** Columns (x) and rows (depth) of vertices given by their parents; -1 for none. The first root is at 0. */
function layTree(parents) {
  const size = parents.length;
  const top = size; // Above all roots; it is not shown.
  const children = Array.from({ length: size + 1 }, () => []);
  const number = new Int32Array(size + 1);
  const parent = new Int32Array(size + 1).fill(-1);
  parents.forEach((above, vertex) => {
    parent[vertex] = above >= 0 && above < size && above !== vertex ? above : top;
    number[vertex] = children[parent[vertex]].length;
    children[parent[vertex]].push(vertex);
  });

  // Breadth first: parents before children, and every row from left to right.
  const depth = new Int32Array(size + 1).fill(-1);
  const order = [top];
  for (let at = 0; at < order.length; at++) {
    for (const child of children[order[at]]) {
      depth[child] = depth[order[at]] + 1;
      order.push(child);
    }
  }

  const [prelim, mod, shift, growth, middle] = Array.from({ length: 5 }, () => new Float64Array(size + 1));
  const thread = new Int32Array(size + 1).fill(-1);
  const ancestor = Int32Array.from({ length: size + 1 }, (_, vertex) => vertex);
  const leftBelow = (vertex) => (children[vertex].length > 0 ? children[vertex][0] : thread[vertex]);
  const rightBelow = (vertex) => children[vertex].at(-1) ?? thread[vertex];

  /** Moves a subtree to the right of its left siblings' subtrees; spreads the room between. */
  function apportion(vertex, fallback) {
    const siblings = children[parent[vertex]];
    if (number[vertex] === 0) return fallback;
    let [innerRight, outerRight] = [vertex, vertex];
    let [innerLeft, outerLeft] = [siblings[number[vertex] - 1], siblings[0]];
    let [sumIR, sumOR, sumIL, sumOL] = [mod[innerRight], mod[outerRight], mod[innerLeft], mod[outerLeft]];
    while (rightBelow(innerLeft) >= 0 && leftBelow(innerRight) >= 0) {
      innerLeft = rightBelow(innerLeft);
      innerRight = leftBelow(innerRight);
      outerLeft = leftBelow(outerLeft);
      outerRight = rightBelow(outerRight);
      ancestor[outerRight] = vertex;
      const overlap = prelim[innerLeft] + sumIL - (prelim[innerRight] + sumIR) + 1;
      if (overlap > 0) {
        const known = ancestor[innerLeft];
        const from = parent[known] === parent[vertex] ? known : fallback;
        const share = overlap / (number[vertex] - number[from]);
        growth[vertex] -= share;
        shift[vertex] += overlap;
        growth[from] += share;
        prelim[vertex] += overlap;
        mod[vertex] += overlap;
        sumIR += overlap;
        sumOR += overlap;
      }
      sumIL += mod[innerLeft];
      sumIR += mod[innerRight];
      sumOL += mod[outerLeft];
      sumOR += mod[outerRight];
    }
    if (rightBelow(innerLeft) >= 0 && rightBelow(outerRight) < 0) {
      thread[outerRight] = rightBelow(innerLeft);
      mod[outerRight] += sumIL - sumOR;
    }
    if (leftBelow(innerRight) >= 0 && leftBelow(outerLeft) < 0) {
      thread[outerLeft] = leftBelow(innerRight);
      mod[outerLeft] += sumIR - sumOL;
      return vertex;
    }
    return fallback;
  }

  for (const vertex of order.toReversed()) {
    const below = children[vertex];
    if (below.length === 0) continue;
    let fallback = below[0];
    for (const child of below) {
      const left = number[child] > 0 ? below[number[child] - 1] : -1;
      prelim[child] = left >= 0 ? prelim[left] + 1 : middle[child];
      mod[child] = left >= 0 && children[child].length > 0 ? prelim[child] - middle[child] : 0;
      fallback = apportion(child, fallback);
    }
    let [moved, more] = [0, 0];
    for (const child of below.toReversed()) {
      prelim[child] += moved;
      mod[child] += moved;
      more += growth[child];
      moved += shift[child] + more;
    }
    middle[vertex] = (prelim[below[0]] + prelim[below.at(-1)]) / 2;
  }

  const x = new Float64Array(size);
  const sum = new Float64Array(size + 1);
  const rows = [];
  for (const vertex of order.slice(1)) {
    const above = parent[vertex];
    sum[vertex] = sum[above] + (above === top ? 0 : mod[above]);
    x[vertex] = prelim[vertex] + sum[vertex] - prelim[order[1]];
    (rows[depth[vertex]] ??= []).push(vertex);
  }
  return { x, depth, rows, children, left: extreme(x, Math.min), right: extreme(x, Math.max) };
}

function extreme(numbers, choose) {
  return numbers.reduce((best, number) => choose(best, number), numbers[0] ?? 0);
}
