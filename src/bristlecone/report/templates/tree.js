// The tree as a drawing that folds, pans and zooms. Pre-order: the left child of v is v + 1. Nothing here is recursive, so
// that a chain of thousands of questions is drawn like any other tree.
// open     inner nodes whose children are drawn.
// lit      the nodes on the way of the row that is shown.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("tree-data").textContent);
  const svg = document.getElementById("tree");
  const SVG = "http://www.w3.org/2000/svg";
  const [WIDE, HIGH, ACROSS, DOWN, INDENT, FIRST, MOST_OPEN] = [214, 62, 256, 74, 22, 16, 2000];
  const n = data.right.length;
  const parent = new Int32Array(n).fill(-1);
  const depth = new Int32Array(n);
  const leaves = new Int32Array(n);
  for (let v = 0; v < n; v++) {
    if (data.right[v] < 0) continue;
    for (const child of [v + 1, data.right[v]]) [parent[child], depth[child]] = [v, depth[v] + 1];
  }
  for (let v = n - 1; v >= 0; v--) leaves[v] = data.right[v] < 0 ? 1 : leaves[v + 1] + leaves[data.right[v]];
  const inner = (v) => data.right[v] >= 0;
  const children = (v) => (inner(v) ? [v + 1, data.right[v]] : []);
  const say = (id, text) => { document.getElementById(id).textContent = text; };

  let open = new Set(), lit = new Set(), current = 0;
  const reset = () => {  // the branches with most rows are unfolded first, until the drawing fills a screen
    open = new Set();
    const front = inner(0) ? [0] : [];
    while (front.length && open.size + 1 < FIRST) {
      let best = 0;
      front.forEach((v, i) => { if (data.rows[v] > data.rows[front[best]]) best = i; });
      const [v] = front.splice(best, 1);
      open.add(v);
      front.push(...children(v).filter(inner));
    }
  };

  const visible = () => {
    const seen = [], stack = [0];
    while (stack.length) {
      const v = stack.pop();
      seen.push(v);
      if (open.has(v)) stack.push(data.right[v], v + 1);
    }
    return seen;
  };

  const make = (name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const pen = document.createElement("canvas").getContext("2d");
  const short = (text, style, room) => {  // cut where it would leave its box
    pen.font = `${style} system-ui, sans-serif`;
    if (pen.measureText(text).width <= room) return text;
    const letters = [...text];
    let [fits, most] = [0, Math.min(letters.length, 80)];
    while (fits + 1 < most) {
      const middle = (fits + most) >> 1;
      if (pen.measureText(letters.slice(0, middle).join("") + "…").width <= room) fits = middle;
      else most = middle;
    }
    return letters.slice(0, fits).join("") + "…";
  };
  const lines = (text, style, room) => {  // a second line before anything is cut
    pen.font = `${style} system-ui, sans-serif`;
    if (pen.measureText(text).width <= room) return [text];
    const words = text.slice(0, 400).split(" ");
    let [first, used] = [words[0], 1];
    while (used < words.length && pen.measureText(`${first} ${words[used]}`).width <= room) first += ` ${words[used++]}`;
    return [short(first, style, room), short(words.slice(used).join(" "), style, room)];
  };
  const percent = (share) => (100 * share).toFixed(1) + "%";
  const sentence = (v) => {
    const parts = [data.say[v], `${data.rows[v].toLocaleString("en")} growing rows, ${percent(data.share[v])} of all`];
    parts.push((inner(v) ? "" : "answer: ") + data.answer[v]);
    if (data.counts) parts.push(data.counts[v]);
    if (data.vote) parts.push(`${percent(data.vote[v])} of the vote stops here`);
    if (inner(v)) parts.push(open.has(v) ? "unfolded" : `folded, ${leaves[v].toLocaleString("en")} leaves below`);
    return parts.join("; ");
  };

  // On a narrow screen boxes stand below each other, indented; else from left to right.
  let place = [], size = [0, 0], indented = false;
  const set = (seen) => {
    place = new Array(n);
    indented = (svg.clientWidth || 900) < 560;
    const deepest = seen.reduce((most, v) => Math.max(most, depth[v]), 0);
    if (indented) {
      seen.forEach((v, i) => { place[v] = [depth[v] * INDENT, i * DOWN]; });
      size = [deepest * INDENT + WIDE + 40, seen.length * DOWN];
      return;
    }
    let row = 0;
    for (const v of seen) if (!open.has(v)) place[v] = [depth[v] * ACROSS, row++ * DOWN];
    for (let i = seen.length - 1; i >= 0; i--) {
      const v = seen[i];
      if (open.has(v)) place[v] = [depth[v] * ACROSS, (place[v + 1][1] + place[data.right[v]][1]) / 2];
    }
    size = [deepest * ACROSS + WIDE + 50, row * DOWN];
  };
  const draw = (fit) => {
    const seen = visible();
    set(seen);
    const edges = make("g", { "aria-hidden": "true" });
    const nodes = make("g", { role: "none" });
    for (const v of seen) {
      if (v) edges.append(edge(v));
      nodes.append(node(v));
    }
    svg.replaceChildren(edges, nodes);
    if (fit) whole();
    const ends = seen.filter((v) => !inner(v)).length;
    say("tree-size", `${ends.toLocaleString("en")} of ${leaves[0].toLocaleString("en")} leaves shown` +
      (ends < leaves[0] ? ", the others folded (+)" : ""));
  };

  const edge = (v) => {
    const [x0, y0] = place[parent[v]], [x1, y1] = [place[v][0], place[v][1] + HIGH / 2];
    const [out, level, middle] = [x0 + WIDE, y0 + HIGH / 2, (x0 + WIDE + x1) / 2];
    const across = `M${out},${level}C${middle},${level} ${middle},${y1} ${x1},${y1}`;
    return make("path", {
      d: indented ? `M${x0 + 10},${y0 + HIGH}V${y1}H${x1}` : across,
      class: lit.has(v) ? "edge lit" : "edge",
      "stroke-width": Math.max(1, 16 * data.share[v]).toFixed(1),
    });
  };

  const node = (v) => {
    const [x, y] = place[v];
    const group = make("g", {
      transform: `translate(${x},${y})`, role: "treeitem", tabindex: v === current ? 0 : -1, "data-node": v,
      "aria-level": depth[v] + 1, "aria-label": sentence(v),
      class: ["node", inner(v) ? "inner" : "leaf", lit.has(v) ? "lit" : ""].join(" "),
    });
    if (inner(v)) group.setAttribute("aria-expanded", open.has(v));
    group.append(make("title", {}, sentence(v)));
    const shapes = make("g", { "aria-hidden": "true" });  // the label says it all
    shapes.append(make("rect", { width: WIDE, height: HIGH, rx: 6, class: "box" }));
    if (data.vote) shapes.append(make("rect", { width: WIDE, height: HIGH, rx: 6, class: "vote", "fill-opacity": 0.5 * data.vote[v] }));
    const room = WIDE - (inner(v) ? 24 : 16);
    const said = lines(data.brief[v] || data.say[v], "600 12.5px", room), top = said.length > 1 ? 17 : 23;
    said.forEach((line, k) => shapes.append(make("text", { x: 9, y: top + 15 * k, class: "say" }, line)));
    const told = `${inner(v) ? "" : "→ "}${data.answer[v]} · ${data.rows[v].toLocaleString("en")} rows`;
    shapes.append(make("text", { x: 9, y: said.length > 1 ? 48 : 42, class: "answer" }, short(told, "11.5px", room)));
    bar(shapes, v);
    if (inner(v)) {
      shapes.append(make("circle", { cx: WIDE, cy: HIGH / 2, r: 11, class: "knob" }));
      shapes.append(make("text", { x: WIDE, y: HIGH / 2 + 4, class: "sign" }, open.has(v) ? "−" : "+"));
      if (!open.has(v)) shapes.append(make("text", { x: WIDE + 15, y: HIGH / 2 + 4, class: "below" }, leaves[v].toLocaleString("en")));
    }
    group.append(shapes);
    return group;
  };
  const bar = (group, v) => {
    if (!data.bars) return;
    let from = 0;
    const room = WIDE - 12;
    group.append(make("rect", { x: 6, y: HIGH - 8, width: room, height: 5, class: "c-rest" }));
    data.bars[v].forEach((share, k) => {
      if (share > 0) group.append(make("rect", { x: 6 + from * room, y: HIGH - 8, width: share * room, height: 5, class: `c${k}` }));
      from += share;
    });
  };

  // View: a window on the drawing.
  let view = [0, 0, 1, 1];
  const show = () => svg.setAttribute("viewBox", view.map((value) => value.toFixed(2)).join(" "));
  // A finger scrolls the page up and down, so there the drawing is as high as it needs to be.
  const touch = window.matchMedia("(pointer: coarse)").matches;
  const highest = () => (touch ? 1e5 : Math.min(0.85 * window.innerHeight, 820));
  const height = (scale) => {
    const high = Math.max(Math.min(highest(), size[1] * scale + 24), 120);
    svg.style.height = `${high}px`;
    return high;
  };
  let wide = 0;
  const whole = () => {
    wide = svg.clientWidth || 900;
    const least = indented ? 0.85 : 0.7;  // never unreadably small
    const scale = Math.max(Math.min(wide / (size[0] + 20), highest() / (size[1] + 20), 1), least);
    const high = height(scale);
    const fits = size[1] * scale <= high;
    view = [-10, fits ? (size[1] - high / scale) / 2 : place[0][1] + HIGH / 2 - high / scale / 2, wide / scale, high / scale];
    if (!fits) view[1] = Math.max(-10, Math.min(view[1], size[1] - view[3] + 10));
    show();
  };
  const stretch = () => {  // as high as the drawing has become, at the scale that it has
    if (!touch) return;
    const scale = svg.clientWidth / view[2];
    view[3] = height(scale) / scale;
    view[1] = -10;
  };
  const zoom = (factor, x, y) => {
    const [cx, cy] = [x ?? view[0] + view[2] / 2, y ?? view[1] + view[3] / 2];
    if (view[2] * factor > 60 * size[0] || view[2] * factor < 60) return;
    view = [cx - (cx - view[0]) * factor, cy - (cy - view[1]) * factor, view[2] * factor, view[3] * factor];
    show();
  };
  const reveal = (v) => {
    const [x, y] = place[v];
    if (x < view[0] || x + WIDE > view[0] + view[2]) view[0] = x + WIDE / 2 - view[2] / 2;
    if (y < view[1] || y + HIGH > view[1] + view[3]) view[1] = y + HIGH / 2 - view[3] / 2;
    show();
  };
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    return [view[0] + (event.clientX - box.left) / box.width * view[2], view[1] + (event.clientY - box.top) / box.height * view[3]];
  };

  const focus = (v) => {
    current = v;
    svg.querySelectorAll("[tabindex='0']").forEach((item) => item.setAttribute("tabindex", -1));
    const item = svg.querySelector(`[data-node='${v}']`);
    item.setAttribute("tabindex", 0);
    item.focus({ preventScroll: true });
    reveal(v);
    say("tree-node", sentence(v));
  };
  const toggle = (v) => {
    if (!inner(v)) return;
    if (!open.delete(v)) open.add(v);
    const before = place[v][1];
    draw(false);
    stretch();
    const moved = place[v][1] - before;  // what was clicked stays where it is
    if (touch) window.scrollBy(0, moved * svg.clientWidth / view[2]);
    else view[1] += moved;
    show();
    focus(v);
  };

  const keys = {
    Enter: toggle, " ": toggle,
    ArrowRight: (v) => (inner(v) && !open.has(v) ? toggle(v) : focus(inner(v) ? v + 1 : v)),
    ArrowLeft: (v) => (open.has(v) ? toggle(v) : focus(Math.max(parent[v], 0))),
    ArrowDown: (v) => step(v, 1), ArrowUp: (v) => step(v, -1),
    Home: () => focus(0), End: () => focus(visible().at(-1)),
    "+": () => zoom(0.8), "-": () => zoom(1.25),
  };
  const step = (v, by) => {
    const seen = visible(), next = seen[seen.indexOf(v) + by];
    if (next !== undefined) focus(next);
  };
  svg.addEventListener("keydown", (event) => {
    const item = event.target.closest("[data-node]");
    if (!item || !(event.key in keys) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key](Number(item.dataset.node));
  });

  // One pointer pans, two zoom; a press that did not move is a click.
  const pointers = new Map();
  let moved = 0;
  svg.addEventListener("pointerdown", (event) => { pointers.set(event.pointerId, event); moved = 0; });
  svg.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const scale = view[2] / svg.clientWidth;
    const others = [...pointers.values()].filter((other) => other.pointerId !== event.pointerId);
    moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
    if (moved > 4 && !svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
    if (others.length) {
      const apart = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1;
      zoom(apart(before, others[0]) / apart(event, others[0]), ...at(event));
    } else {
      view[0] -= (event.clientX - before.clientX) * scale;
      view[1] -= (event.clientY - before.clientY) * scale;
      show();
    }
    pointers.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, (event) => pointers.delete(event.pointerId));
  svg.addEventListener("click", (event) => {
    const item = event.target.closest("[data-node]");
    if (item && moved <= 4) toggle(Number(item.dataset.node)), focus(Number(item.dataset.node));
  });
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;  // the wheel alone scrolls the page
    event.preventDefault();
    zoom(Math.exp(event.deltaY / 300), ...at(event));
  }, { passive: false });

  const unfoldAll = () => {
    open = new Set();
    for (let v = 0; v < n; v++) if (inner(v) && open.size < MOST_OPEN) open.add(v);
    for (const v of open) if (v && !open.has(parent[v])) open.delete(v);
  };
  const buttons = {
    "zoom-in": () => zoom(0.8), "zoom-out": () => zoom(1.25), "zoom-fit": () => whole(),
    "unfold-all": () => { unfoldAll(); draw(true); },
    "fold-all": () => { reset(); current = 0; draw(true); },
  };
  for (const [id, act] of Object.entries(buttons)) document.getElementById(id).addEventListener("click", act);

  // What the page's other parts may ask of the drawing.
  window.drawing = {
    data, inner,
    light: (stop) => {
      lit = new Set();
      for (let v = stop; v >= 0; v = parent[v]) {
        lit.add(v);
        if (parent[v] >= 0) open.add(parent[v]);
      }
      current = stop;
      draw(false);
      stretch();
      reveal(stop);
      return [...lit].reverse();
    },
  };
  reset();
  draw(true);
  // A phone resizes the window up and down while it scrolls: only another width is another page.
  let printing = false;
  window.addEventListener("resize", () => { if (svg.clientWidth !== wide && !printing) draw(true); });
  window.addEventListener("beforeprint", () => {
    printing = true;
    svg.style.height = "";
    view = [-10, -10, size[0] + 20, size[1] + 20];
    show();
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    draw(true);
  });
})();
