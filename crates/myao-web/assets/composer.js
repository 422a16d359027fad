// Enter posts, Shift+Enter breaks the line. Without this, a button posts.
"use strict";

document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLTextAreaElement) || !("enterPosts" in field.dataset)) return;
  if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
  // Enter that ends a composition, as of Japanese, chooses a word. One browser says so by the number alone.
  if (event.isComposing || event.keyCode === 229) return;
  // On a touch keyboard there is no Shift+Enter.
  if (window.matchMedia("(hover: none) and (pointer: coarse)").matches) return;
  event.preventDefault();
  const isUnderWay = field.form.classList.contains("htmx-request");
  if (field.value.trim() !== "" && !isUnderWay) field.form.requestSubmit();
});
