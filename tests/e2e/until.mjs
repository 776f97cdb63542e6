// A wait for what comes by itself. It starts nothing, so that a test may still choose the program that it starts.

/** An idle machine takes a moment for it, one whose processors have twenty times their work up to this. */
const DEADLINE_MS = 60_000;

/** Asks until `check` holds; the simulator needs a moment to be heard. */
export async function until(what, check, deadline_ms = DEADLINE_MS) {
  const started = performance.now();
  for (;;) {
    const found = await check();
    if (found) return found;
    if (performance.now() - started > deadline_ms) throw new Error(`not within ${deadline_ms} ms: ${what}`);
    await new Promise((wake) => setTimeout(wake, 50));
  }
}
