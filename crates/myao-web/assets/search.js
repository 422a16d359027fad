// Offers what fits while somebody types into the search field. Without this, the field is a form that leads to recall.
"use strict";

(() => {
  // How long nothing must be typed before something is asked for.
  const pause = 150;
  const field = document.querySelector("#q");
  const list = document.querySelector("#offers");
  const told = document.querySelector("#offers-told");
  if (!field || !list || !told) return;

  let waits = 0;
  let asks = false;
  let shown = "";

  const options = () => Array.from(list.querySelectorAll("[role=option]"));
  const chosen = () => list.querySelector("[aria-selected=true]");
  const typed = () => field.value.trim();

  const choose = (option) => {
    for (const other of options()) other.setAttribute("aria-selected", String(other === option));
    if (option) {
      field.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      field.removeAttribute("aria-activedescendant");
    }
  };

  const open = (is) => {
    list.hidden = !is;
    field.setAttribute("aria-expanded", String(is));
    if (!is) choose(null);
  };

  const show = (words, html) => {
    shown = words;
    list.innerHTML = html;
    choose(null);
    told.textContent = list.querySelector("[data-told]")?.dataset.told ?? "";
    open(options().length > 0 && document.activeElement === field);
  };

  // One question at a time: while one is answered, only the newest of those that follow waits.
  const ask = async () => {
    if (asks) return;
    const words = typed();
    if (words === "") {
      shown = "";
      told.textContent = "";
      open(false);
      return;
    }
    if (words === shown) {
      open(document.activeElement === field);
      return;
    }
    asks = true;
    let html = "";
    try {
      const answer = await fetch(`/recall/offers?${new URLSearchParams(new FormData(field.form))}`);
      if (answer.ok && !answer.redirected) html = await answer.text();
    } catch {
      // The form still leads to recall.
    }
    asks = false;
    if (typed() === words) show(words, html);
    else ask();
  };

  const later = () => {
    clearTimeout(waits);
    waits = setTimeout(ask, pause);
  };

  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  field.setAttribute("aria-expanded", "false");

  field.addEventListener("input", (event) => {
    // Letters of Japanese that are not written yet.
    if (!event.isComposing) later();
  });
  field.addEventListener("compositionend", later);
  field.addEventListener("blur", () => open(false));
  // The field keeps the focus where somebody presses on an offer.
  list.addEventListener("mousedown", (event) => event.preventDefault());

  field.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = options();
    const at = all.indexOf(chosen());
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        if (all.length === 0 || typed() !== shown) return;
        if (list.hidden) open(true);
        // Beyond the last offer and before the first is the field itself.
        const places = all.length + 1;
        const step = event.key === "ArrowDown" ? 1 : -1;
        choose(all[(at + 1 + step + places) % places - 1] ?? null);
        break;
      }
      case "Enter":
        if (list.hidden || at < 0) return;
        all[at].click();
        break;
      case "Escape":
        if (list.hidden) return;
        open(false);
        break;
      default:
        return;
    }
    event.preventDefault();
  });
})();
