// Makes the tables of class "sortable" sortable by their headers. Without it everything can be read as well.
"use strict";

(function () {
  const voice = document.createElement("p");
  voice.className = "unseen";
  voice.setAttribute("role", "status");
  document.body.append(voice);

  function valueOf(row, column) {
    const cell = row.cells[column];
    return cell.dataset.value !== undefined ? cell.dataset.value : cell.textContent.trim();
  }

  // Numbers by size, words by the alphabet, and what is empty last in either direction.
  function compare(a, b, isNumber, sign) {
    if (a === "" || b === "") return (a === "") - (b === "");
    return sign * (isNumber ? Number(a) - Number(b) : a.localeCompare(b));
  }

  function sort(table, header, button) {
    const isNumber = header.dataset.sort !== "text";
    const first = header.dataset.first || "descending";
    const other = first === "descending" ? "ascending" : "descending";
    const direction = header.getAttribute("aria-sort") === first ? other : first;
    const sign = direction === "ascending" ? 1 : -1;
    for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", direction);
    const body = table.tBodies[0];
    const column = header.cellIndex;
    const rows = Array.from(body.rows);
    rows.sort((a, b) => compare(valueOf(a, column), valueOf(b, column), isNumber, sign));
    body.append(...rows);
    voice.textContent = "Sorted by " + button.textContent + ", " + direction;
  }

  // A table that fits needs no scrolling, and so no stop for the keyboard.
  const watcher = new ResizeObserver((entries) => {
    for (const { target } of entries) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
  });
  for (const region of document.querySelectorAll(".scroll")) watcher.observe(region);

  for (const table of document.querySelectorAll("table.sortable")) {
    for (const header of table.tHead.rows[0].cells) {
      if (!header.dataset.sort) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => sort(table, header, button));
    }
  }
})();
