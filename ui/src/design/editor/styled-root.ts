// Where an editor's library puts its sheets.

import css from "./editor.css?inline";

/** A shadow root: there the editor's library adopts its sheets, where in the page it would write `<style>` elements. */
export function styledRoot(place: HTMLElement): ShadowRoot {
  const root = place.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  return root;
}
