// The keys. Pages need none of this: whatever a key does, a link or a field does as well.
"use strict";

(() => {
  const typing = (element) =>
    element instanceof HTMLElement &&
    (element.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName));

  // Where `g` and a letter lead, through the same eyes.
  const places = { o: "/", r: "/recall", w: "/workspace", d: "/decisions", p: "/people", m: "/memos", c: "/channels" };

  const items = () => Array.from(document.querySelectorAll("[data-item]"));

  const step = (by) => {
    const all = items();
    if (all.length === 0) return;
    const at = all.findIndex((item) => item === document.activeElement || item.contains(document.activeElement));
    const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1);
    all[next].focus();
    all[next].scrollIntoView({ block: "nearest" });
  };

  const go = (path) => {
    const view = new URLSearchParams(window.location.search).get("as");
    window.location.assign(view ? `${path}?${new URLSearchParams({ as: view })}` : path);
  };

  let waitsForPlace = false;

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typing(event.target)) return;
    if (waitsForPlace) {
      waitsForPlace = false;
      if (places[event.key]) {
        event.preventDefault();
        go(places[event.key]);
      }
      return;
    }
    switch (event.key) {
      case "g":
        waitsForPlace = true;
        return;
      case "j":
        step(1);
        break;
      case "k":
        step(-1);
        break;
      case "Enter": {
        const item = event.target instanceof Element && event.target.matches("[data-item]") ? event.target : null;
        const link = item && item.querySelector("a[href]");
        if (!link) return;
        link.click();
        break;
      }
      default: {
        const target = Array.from(document.querySelectorAll("[data-key]")).find((e) => e.dataset.key === event.key);
        if (!target) return;
        if (target.tagName === "INPUT") target.focus();
        else target.click();
      }
    }
    event.preventDefault();
  });
})();
