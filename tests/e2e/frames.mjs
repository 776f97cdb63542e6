// Frames whose times are the test's: a scene that judges how fast its graphics are would otherwise judge the machine that
// the tests run on, which draws without a graphics card and beside other work.

/** Time from one frame to the next of a fast computer. */
const FAST_MS = 40;

/** Windows of this browser context get frames that each take as long as `setFrameTime` says; fast ones until then. */
export function keepFrameTime(context) {
  return context.addInitScript((fast_ms) => {
    const request = requestAnimationFrame.bind(window);
    let [shown_ms, now_ms] = [0, 0];
    window.frameTimeMs = fast_ms;
    window.requestAnimationFrame = (draw) =>
      request((at_ms) => {
        if (at_ms !== shown_ms) now_ms += window.frameTimeMs;
        shown_ms = at_ms;
        draw(now_ms);
      });
  }, FAST_MS);
}

/** From now on each frame of this window takes so long. */
export function setFrameTime(page, frame_ms = FAST_MS) {
  return page.evaluate((ms) => (window.frameTimeMs = ms), frame_ms);
}
