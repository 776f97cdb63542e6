// Context of a model in one call, as parts to read. Texts stand in a view by their hash.

import type { TurnView } from "../../generated/bindings/TurnView";
import type { ViewBlock } from "../../generated/bindings/ViewBlock";
import type { ViewLayout } from "../../generated/bindings/ViewLayout";

/** A text of a part; `trust` is null for what the loop itself writes. */
export type PartText = { text: string; trust: string | null };

/** One part: who speaks, which entry of the transcript it is, and its texts. */
export type ViewPart = {
  kind: "system" | "tools" | "message";
  speaker: string;
  origin: string;
  entry: number | null;
  texts: readonly PartText[];
};

/** The parts in the order in which the model read them. A text that is gone is told as such. */
export function partsOf(layout: ViewLayout, texts: TurnView["texts"]): ViewPart[] {
  // Older texts are deleted, and the hash still tells which one it was.
  const read = (hash: string) => texts[hash] ?? `[${hash}]`;
  const system = layout.system.map((hash): ViewPart => ({
    kind: "system",
    speaker: "system",
    origin: "",
    entry: null,
    texts: [{ text: read(hash), trust: null }],
  }));
  const tools: ViewPart[] =
    layout.tools === null
      ? []
      : [
          {
            kind: "tools",
            speaker: "tools",
            origin: "",
            entry: null,
            texts: [{ text: read(layout.tools), trust: null }],
          },
        ];
  const messages = layout.messages.map(({ speaker, origin, entry, blocks }): ViewPart => ({
    kind: "message",
    speaker,
    origin,
    entry,
    texts: blocks.map((block) => textOf(block, read)),
  }));
  return [...system, ...tools, ...messages];
}

/** All of it as one text, for the clipboard. */
export function plainText(parts: readonly ViewPart[]): string {
  return parts
    .map(({ speaker, origin, entry, texts }) =>
      [`--- ${[speaker, origin, entry ?? ""].join(" ").trim()}`, ...texts.map(({ text }) => text)].join("\n"),
    )
    .join("\n\n");
}

function textOf(block: ViewBlock, read: (hash: string) => string): PartText {
  switch (block.kind) {
    case "text":
    case "result":
      return { text: read(block.hash), trust: block.trust };
    case "call":
      return { text: `${block.name} ${read(block.hash)}`, trust: null };
  }
}
