
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const body = byId("table").tBodies[0];
  const rows = [...body.rows];
  const words = new Map(rows.map((row) => [
    row,
    `${row.dataset.accountant} ${row.dataset.verdict} ${row.querySelector("summary").textContent}`.toLowerCase(),
  ]));
  const filters = { verdict: byId("f-verdict"), accountant: byId("f-accountant"), mechanism: byId("f-mechanism") };

  function filter() {
    const wanted = byId("f-text").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !(wanted.every((word) => words.get(row).includes(word))
        && Object.entries(filters).every(([name, field]) => !field.value || row.dataset[name] === field.value));
      shown += !row.hidden;
    }
    const of = shown === rows.length ? "" : ` of ${rows.length.toLocaleString("en")}`;
    byId("shown").textContent = `${shown.toLocaleString("en")}${of} cells`;
  }

  // Texts by their letters, numbers by size; what has no number comes last either way.
  function sort(header) {
    const key = header.querySelector("button").dataset.key;
    const down = header.getAttribute("aria-sort") === "ascending";
    const text = (row) => (key === "question" ? row.querySelector("summary").textContent : row.dataset[key]);
    const numeric = !["verdict", "accountant", "question"].includes(key);
    const keyed = rows.map((row) => [numeric && text(row) !== "" ? Number(text(row)) : text(row), row]);
    keyed.sort(([a, first], [b, second]) => {
      if (a === b) return first.dataset.number - second.dataset.number;
      if (numeric && (a === "" || b === "")) return a === "" ? 1 : -1;
      const order = numeric ? a - b : a.localeCompare(b, "en", { numeric: true });
      return down ? -order : order;
    });
    for (const other of header.parentElement.cells) other.setAttribute("aria-sort", "none");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...keyed.map(([, row]) => row));
  }

  async function copy(button) {
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }

  function open() {
    const row = location.hash.startsWith("#cell-") && byId(location.hash.slice(1));
    if (!row) return;
    if (row.hidden) { byId("filters").reset(); filter(); }
    row.querySelector("details").open = true;
    row.querySelector("summary").focus();
    row.scrollIntoView({ block: "center" });
  }

  byId("filters").addEventListener("input", filter);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", () => setTimeout(filter));
  byId("table").tHead.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) sort(button.closest("th"));
  });
  body.addEventListener("click", (event) => {
    const button = event.target.closest(".copy");
    if (button) copy(button);
  });
  for (const link of document.querySelectorAll(".matrix a")) {
    link.addEventListener("click", () => {
      byId("filters").reset();
      filters.accountant.value = link.dataset.accountant;
      filters.mechanism.value = link.dataset.mechanism;
      setTimeout(filter);
    });
  }
  const only = byId("figure-accountant");
  if (only) {
    only.addEventListener("change", () => {
      for (const path of document.querySelectorAll("svg [data-a]")) {
        path.toggleAttribute("hidden", only.value !== "" && path.dataset.a !== only.value);
      }
    });
  }
  addEventListener("hashchange", open);
  open();
  filter();
})();
