// Tables: one that is wider than its column says so and is reached by keyboard; a click on a heading sorts.
const measure = () =>
  document.querySelectorAll(".md-typeset__scrollwrap").forEach((wrap) => {
    const scrolls = wrap.scrollWidth > wrap.clientWidth;
    wrap.classList.toggle("scrolls", scrolls);
    wrap.tabIndex = scrolls ? 0 : -1;
  });
addEventListener("load", measure);
addEventListener("resize", measure);

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-sortable] thead button");
  if (!button) return;
  const head = button.parentElement;
  const body = head.closest("table").tBodies[0];
  const falls = head.getAttribute("aria-sort") === "descending" ? "ascending" : "descending";
  const value = (row) => row.cells[head.cellIndex].dataset.worst ?? "";
  const name = (row) => row.cells[0].textContent;
  const sign = falls === "descending" ? -1 : 1;
  const compare = (a, b) =>
    head.cellIndex === 0
      ? sign * name(b).localeCompare(name(a))
      : !value(a) - !value(b) || sign * (value(a) - value(b)) || name(a).localeCompare(name(b));
  [...head.parentElement.cells].forEach((each) => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", falls);
  body.append(...[...body.rows].sort(compare));
});
