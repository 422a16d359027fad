// A menu or thread that somebody opened stays open when its part of the talk is drawn anew. Without this, it closes when
// something arrives.
"use strict";

(() => {
  const opened = new Set();

  // The message that it belongs to, and which of its own it is; nothing else outlives being drawn anew.
  const keyOf = (one) => {
    const line = one.closest("#says [id]");
    return line && `${line.id} ${[...line.querySelectorAll("details")].indexOf(one)}`;
  };

  // This event does not bubble.
  document.addEventListener("toggle", (event) => {
    const key = event.target instanceof HTMLDetailsElement && event.target.isConnected && keyOf(event.target);
    if (!key) return;
    if (event.target.open) opened.add(key);
    else opened.delete(key);
  }, true);

  const reopen = (node) => {
    if (!(node instanceof Element)) return;
    for (const one of node.querySelectorAll("details:not([open])")) {
      if (opened.has(keyOf(one))) one.open = true;
    }
  };
  new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach(reopen)))
    .observe(document.documentElement, { childList: true, subtree: true });
})();
