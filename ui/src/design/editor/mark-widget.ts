// Marks of hidden characters in an editor whose text does not change.

import { type Extension, RangeSet } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import { t } from "../../locales/i18n";
import type { HiddenMark } from "./hidden-marks";

/** A box in the place of what nobody sees: its code, and its kind for who reads it aloud or rests on it. */
class MarkWidget extends WidgetType {
  readonly #mark: HiddenMark;

  constructor(mark: HiddenMark) {
    super();
    this.#mark = mark;
  }

  override eq(other: MarkWidget): boolean {
    return this.#mark.kind === other.#mark.kind && this.#mark.shown === other.#mark.shown;
  }

  override toDOM(): HTMLElement {
    const { kind, shown } = this.#mark;
    const box = document.createElement("span");
    const words = t("hidden_mark.spoken", { shown, kind: t(`hidden_mark.${kind}`) });
    box.className = "hidden-mark";
    box.dataset["kind"] = kind;
    box.textContent = shown;
    box.title = words;
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", words);
    return box;
  }
}

/** Shows each mark in the place of its characters. */
export function showMarks(marks: readonly HiddenMark[]): Extension {
  const boxes = marks.map((mark) => Decoration.replace({ widget: new MarkWidget(mark) }).range(mark.from, mark.to));
  return EditorView.decorations.of(RangeSet.of(boxes, true));
}
