// The way of one row: of the rows that the page was made with, or of cells that are typed in. The walk is the tree's own:
// left is x < t in float64; a missing cell takes the side learned for it; a level that a node does not know stops there, or
// takes the heavier side, or is refused, as the tree says.
"use strict";
(() => {
  const { data, inner, light } = window.drawing;
  const result = document.getElementById("way");
  const DATE = /^\d{4}-\d\d-\d\d$/;
  const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(?:Z|\+00:00)?)?$/;
  const since1970 = (text, day, example) => {
    const found = Date.parse(text);
    // A browser takes February 30 for March 1.
    if (Number.isNaN(found) || new Date(found).toISOString().slice(0, 10) !== day) throw new Error(`is no ${example}`);
    return found;
  };
  const fields = new Map();

  const read = {
    numeric: (text) => {
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw new Error("is no number");
      return Number(text);
    },
    boolean: (text) => {
      const value = new Map([["true", 1], ["yes", 1], ["1", 1], ["false", 0], ["no", 0], ["0", 0]]).get(text.toLowerCase());
      if (value === undefined) throw new Error("is neither true nor false");
      return value;
    },
    date: (text) => since1970(DATE.test(text) ? text : "", text, "date like 2024-12-31") / 86400000,
    datetime: (text) => {
      const [, day, minute, second, part] = TIME.exec(text) || [];
      const said = day ? `${day}T${minute || "00:00"}:${second || "00"}Z` : "";
      const whole = since1970(said, day, "time like 2024-12-31 23:59:59");
      return whole * 1000 + Number((part || "").padEnd(6, "0"));
    },
  };
  const UNKNOWN = -2, MISSING = null;
  const cell = (place) => {
    const { kind, codes, input, name } = fields.get(place);
    const text = kind === "category" ? input.value : input.value.trim();
    if (text === "") return MISSING;
    if (kind === "category") return codes.has(text) ? codes.get(text) : UNKNOWN;
    try {
      return read[kind](text);
    } catch (fault) {
      input.setAttribute("aria-invalid", "true");
      throw new Error(`${name}: “${text}” ${fault.message}`);
    }
  };

  const walk = (row) => {
    let v = 0;
    while (inner(v)) {
      const [column, threshold, left, right, missingLeft, heavierLeft] = data.ask[v];
      const x = row(column);
      let goesLeft;
      if (threshold === "Infinity") goesLeft = x !== MISSING;
      else if (x === MISSING) {
        if (data.refusesMissing) throw new Error(`${fields.get(column).name} is empty, and this tree refuses missing values`);
        goesLeft = missingLeft === 1;
      } else if (threshold !== "") goesLeft = x < Number(threshold);
      else if (left.includes(x)) goesLeft = true;
      else if (right.includes(x)) goesLeft = false;
      else if (data.unseen === "heavier") goesLeft = heavierLeft === 1;
      else if (data.unseen === "stop") return v;
      else throw new Error(`${fields.get(column).name}: this tree refuses a level that it does not know there`);
      v = goesLeft ? v + 1 : data.right[v];
    }
    return v;
  };

  const tell = (stop, of) => {
    const way = light(stop);
    const steps = document.createElement("ol");
    for (const v of way.slice(1)) {
      const step = document.createElement("li");
      step.textContent = data.say[v];
      steps.append(step);
    }
    const answer = document.createElement("p");
    const strong = document.createElement("strong");
    strong.textContent = data.answer[stop];
    const where = inner(stop) ? `stops at node ${stop}, which does not know its level` : `ends in leaf ${stop}`;
    answer.append(`${of} ${where}: `, strong, ` (${data.rows[stop].toLocaleString("en")} growing rows).`);
    result.dataset.stop = stop;
    result.replaceChildren(answer, steps);
  };
  const refuse = (message) => {
    delete result.dataset.stop;
    const told = document.createElement("p");
    told.className = "refused";
    told.textContent = message;
    result.replaceChildren(told);
  };

  const chosen = document.getElementById("row-number");
  const pick = () => {
    const { nodes, first, names } = data.stops;
    const text = chosen.value.trim().replaceAll(",", "");
    const name = /^\d+$/.test(text) ? Number(text) : NaN;
    const place = names ? names.indexOf(name) : name - first;
    if (!(place in nodes)) refuse(`There is no row ${chosen.value.trim() || "without a number"} among these.`);
    else tell(nodes[place], `Row ${name}`);
  };
  document.getElementById("row-form")?.addEventListener("submit", (event) => { event.preventDefault(); pick(); });

  const form = document.getElementById("cells-form");
  for (const input of form.querySelectorAll("input[data-column]")) {
    const [place, name, kind, , levels] = data.columns.find(([column]) => column === Number(input.dataset.column));
    const codes = new Map(levels.map((level, code) => [level, code]));
    fields.set(place, { name, kind, codes, input });
    if (levels.length) {
      const list = document.createElement("datalist");
      list.id = `levels-${place}`;
      list.append(...levels.map((level) => Object.assign(document.createElement("option"), { value: level })));
      input.after(list);
      input.setAttribute("list", list.id);
    }
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    form.querySelectorAll("[aria-invalid]").forEach((input) => input.removeAttribute("aria-invalid"));
    try {
      const cells = new Map([...fields.keys()].map((place) => [place, cell(place)]));
      tell(walk((column) => cells.get(column)), "This row");
    } catch (fault) {
      refuse(fault.message);
    }
  });
})();
