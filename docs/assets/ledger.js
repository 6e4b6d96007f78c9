// Filter the records of a page of the ledger by verdict. Without this script every record is shown.
document.addEventListener("click", (event) => {
  const button = event.target.closest(".filter button");
  if (!button) return;
  const all = [...button.parentElement.querySelectorAll("button")];
  const on = button.getAttribute("aria-pressed") !== "true";
  all.forEach((each) => each.setAttribute("aria-pressed", String(on && each === button)));
  const wanted = on ? button.dataset.verdict : "";
  let shown = 0;
  document.querySelectorAll(".record").forEach((record) => {
    record.hidden = wanted !== "" && record.dataset.verdict !== wanted;
    shown += !record.hidden;
  });
  document.querySelector(".filter [role=status]").textContent = `${shown} shown`;
});
