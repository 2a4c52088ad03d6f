// Tables whose headings sort: the first press by the largest (or A first), the next one the other way round.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, place) => {
    const told = row.cells[place].dataset.value;
    return told === undefined ? row.cells[place].textContent : told === "" ? -Infinity : Number(told);
  };
  heads.forEach((head, place) => {
    head.querySelector("button")?.addEventListener("click", () => {
      const rows = [...body.rows];
      const numeric = rows.length > 0 && rows[0].cells[place].dataset.value !== undefined;
      const before = head.getAttribute("aria-sort");
      const up = before ? before === "descending" : !numeric;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const compare = (a, b) => (numeric ? value(a, place) - value(b, place) : value(a, place).localeCompare(value(b, place)));
      body.append(...rows.sort((a, b) => (up ? compare(a, b) : compare(b, a))));
    });
  });
}
