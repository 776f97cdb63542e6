// Letters that are typed before the palette has the focus. They are meant for it: what has the focus until then may take the
// same letter, or Enter, for an act.

/** The palette is there by then, or cannot be loaded; keys mean again what they say, ms. */
const WAIT_MS = 5_000;

/** Text that was typed since the palette was asked for. */
export class TypedAhead {
  #typed = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Keeps what is typed from now on, until it is taken. */
  begin(): void {
    this.take();
    window.addEventListener("keydown", this.#keep, { capture: true });
    this.#timer = setTimeout(() => this.take(), WAIT_MS);
  }

  /** The text so far; from now on keys go where they go. */
  take(): string {
    const typed = this.#typed;
    this.#typed = "";
    clearTimeout(this.#timer);
    window.removeEventListener("keydown", this.#keep, { capture: true });
    return typed;
  }

  readonly #keep = (event: KeyboardEvent): void => {
    const { key } = event;
    // Keys with Ctrl are never text, and Ctrl+. stops: they go where they go.
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if ([...key].length === 1) this.#typed += key;
    else if (key === "Backspace") this.#typed = [...this.#typed].slice(0, -1).join("");
    else if (key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
  };
}
