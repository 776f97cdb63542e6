// The place of dialogs: inside the main view, so that they never cover the top bar (U-205).

/** The main view; a page without one has its dialogs at the end of its body. */
export function inMain(): { UNSTABLE_portalContainer?: Element } {
  const main = document.querySelector("[data-region=main]");
  return main === null ? {} : { UNSTABLE_portalContainer: main };
}
