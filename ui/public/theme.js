// Sets data-theme and data-contrast before the first paint: what this desk has chosen, else what the system prefers.
(function () {
  var root = document.documentElement;
  var dark = matchMedia("(prefers-color-scheme: dark)");
  var more = matchMedia("(prefers-contrast: more)");
  var unsaved = {};
  function chosen(key) {
    if (unsaved[key] !== undefined) return unsaved[key];
    try {
      return localStorage.getItem(key);
    } catch (ignored) {
      return null;
    }
  }
  function apply() {
    root.dataset.theme = chosen("quarterdeck.theme") || (dark.matches ? "dark" : "light");
    root.dataset.contrast = chosen("quarterdeck.contrast") || (more.matches ? "more" : "normal");
  }
  apply();
  dark.addEventListener("change", apply);
  more.addEventListener("change", apply);
  addEventListener("storage", apply);
  addEventListener("quarterdeck-theme", function (event) {
    // A choice that this browser could not store comes with the event; one that it has stored is found there.
    unsaved = Object.assign(unsaved, event.detail);
    apply();
  });
})();
