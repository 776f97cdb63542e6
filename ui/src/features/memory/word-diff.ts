// Changes between two texts, word by word.

/** Words of one side; `same` is on both. */
export type DiffPiece = { kind: "same" | "removed" | "added"; text: string };

/** Beyond this the table of the comparison would take too long: then the whole is shown as changed. */
const WORDS_MAX = 800;

/** The longest common run of words stays, the rest was removed or added. */
export function wordDiff(before: string, after: string): DiffPiece[] {
  const old = split(before);
  const now = split(after);
  if (old.length > WORDS_MAX || now.length > WORDS_MAX)
    return merged([
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ]);
  const common = table(old, now);
  const pieces: DiffPiece[] = [];
  let here = 0;
  let there = 0;
  while (here < old.length || there < now.length) {
    const [was, is] = [old[here], now[there]];
    if (was !== undefined && was === is) {
      pieces.push({ kind: "same", text: was });
      here += 1;
      there += 1;
    } else if (is !== undefined && (was === undefined || at(common, here, there + 1) >= at(common, here + 1, there))) {
      pieces.push({ kind: "added", text: is });
      there += 1;
    } else if (was !== undefined) {
      pieces.push({ kind: "removed", text: was });
      here += 1;
    }
  }
  return merged(pieces);
}

function split(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}

/** Length of the longest common subsequence from each pair of places on. */
function table(old: readonly string[], now: readonly string[]): number[][] {
  const lengths: number[][] = Array.from({ length: old.length + 1 }, () =>
    Array.from({ length: now.length + 1 }, () => 0),
  );
  for (let here = old.length - 1; here >= 0; here -= 1) {
    const row = lengths[here];
    if (!row) continue;
    for (let there = now.length - 1; there >= 0; there -= 1) {
      row[there] =
        old[here] === now[there]
          ? at(lengths, here + 1, there + 1) + 1
          : Math.max(at(lengths, here + 1, there), at(lengths, here, there + 1));
    }
  }
  return lengths;
}

function at(lengths: readonly number[][], here: number, there: number): number {
  return lengths[here]?.[there] ?? 0;
}

/** Neighbours of a kind as one piece. */
function merged(pieces: readonly DiffPiece[]): DiffPiece[] {
  const whole: DiffPiece[] = [];
  for (const piece of pieces.filter(({ text }) => text !== "")) {
    const last = whole.at(-1);
    if (last?.kind === piece.kind) last.text += piece.text;
    else whole.push({ ...piece });
  }
  return whole;
}
