// Lines are neutral and told apart by their dashes, and by the number at their end (U-305).

const DASHES: readonly string[] = ["none", "8 4", "2 3", "12 3 2 3", "5 5", "14 6"];

/** The dashes of a line by its place in the plot. */
export function dashOf(place: number): string {
  return DASHES[place % DASHES.length] ?? "none";
}
