// Steps that a mission adds to the station's own response to a failure, by the class of the failure.

/** Names of steps by the class that they answer. */
export type Fallbacks = Readonly<Record<string, readonly string[]>>;

/** The value of the key as classes with their steps, none of a missing one; null if it is something else. */
export function fallbacksOf(value: unknown): Fallbacks | null {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) return null;
  const found: Record<string, readonly string[]> = {};
  for (const [name, steps] of Object.entries(value)) {
    if (!isNames(steps)) return null;
    found[name] = steps;
  }
  return found;
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** The same with one more step of a class, the last. */
export function withStep(all: Fallbacks, name: string, step: string): Fallbacks {
  return { ...all, [name]: [...(all[name] ?? []), step] };
}

/** The same without a step. A class without steps is refused by the station, so it goes with its last one. */
export function withoutStep(all: Fallbacks, name: string, at: number): Fallbacks {
  const { [name]: steps = [], ...others } = all;
  const left = steps.toSpliced(at, 1);
  return left.length === 0 ? others : { ...all, [name]: left };
}
