// Lines of an editor that were changed elsewhere, outlined for a moment.

import { type Change, diff } from "@codemirror/merge";
import { type EditorState, type Extension, type Range, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { t } from "../../locales/i18n";

/** Long enough to be found, ms. */
const OUTLINED_MS = 2_000;

/** A text of a quarter of a megabyte that is another one altogether is not compared letter by letter. */
const SCAN_MAX = 500;

/** Ranges of the new text that are outlined; none ends the outline. */
const outline = StateEffect.define<readonly Change[]>();

/** The change that makes an editor's text another one: only what differs is replaced, so that the caret stays at its words. */
export function followed(state: EditorState, text: string) {
  const before = state.doc.toString();
  if (before === text) return null;
  const changes = diff(before, text, { scanLimit: SCAN_MAX });
  return {
    changes: changes.map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, insert: text.slice(fromB, toB) })),
    effects: [outline.of(changes), EditorView.announce.of(t("common.text_followed"))],
  };
}

/** Outlines lines that were followed, for two seconds. */
export function followedLines(): Extension {
  return [LINES, TIMER];
}

const LINES = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (lines, { changes, effects, newDoc }) =>
    effects.reduce(
      (now, effect) => (effect.is(outline) ? Decoration.set(linesOf(newDoc, effect.value)) : now),
      lines.map(changes),
    ),
  provide: (field) => EditorView.decorations.from(field),
});

const TIMER = ViewPlugin.fromClass(
  class {
    #timer: ReturnType<typeof setTimeout> | undefined;

    update({ view, transactions }: ViewUpdate) {
      const effects = transactions.flatMap((transaction) => transaction.effects);
      if (!effects.some((effect) => effect.is(outline) && effect.value.length > 0)) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => view.dispatch({ effects: outline.of([]) }), OUTLINED_MS);
    }

    destroy() {
      clearTimeout(this.#timer);
    }
  },
);

/** A decoration for each line of the changes; lines next to one another have one outline around them all. */
function linesOf(doc: Text, changes: readonly Change[]): Range<Decoration>[] {
  const numbers = new Set<number>();
  for (const { fromB, toB } of changes) {
    // The line end of an inserted line belongs to that line. Where something was taken away, the line of the place is left.
    const last = doc.lineAt(Math.max(fromB, toB - 1)).number;
    for (let number = doc.lineAt(fromB).number; number <= last; number += 1) numbers.add(number);
  }
  return [...numbers].map((number) => {
    const first = numbers.has(number - 1) ? "" : " cm-followed-first";
    const last = numbers.has(number + 1) ? "" : " cm-followed-last";
    return Decoration.line({ class: `cm-followed${first}${last}` }).range(doc.line(number).from);
  });
}
