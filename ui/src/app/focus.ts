// Puts the focus where a key has led: into the screen, or on something that is about to be drawn.

/**
 * Frames within which what was asked for is drawn; a screen whose code is still loading takes longer and keeps the
 * focus it has.
 */
const FRAMES_MAX = 60;

/** Focuses the screen itself: the next Tab is its first control. */
export function focusScreen(): void {
  focusWhenDrawn("[data-region=main]");
}

/** Focuses the first match of `selector` that is on the screen, as soon as there is one. */
export function focusWhenDrawn(selector: string, frames_left = FRAMES_MAX): void {
  requestAnimationFrame(() => {
    const target = [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
    if (target) target.focus();
    else if (frames_left > 0) focusWhenDrawn(selector, frames_left - 1);
  });
}
