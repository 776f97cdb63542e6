// Duration of frames: a picture that comes too slowly tells less than the flat one (U-1104).

/** A drawn frame: when, and how long until the browser was ready for the next. */
export type FrameTime = { at_ms: number; took_ms: number };

/** No more than 30 frames a second. */
export const FRAME_MS_MIN = 1_000 / 30;

/** Frames are looked at for this long. */
const SPAN_MS = 2_000;
/** Slower than this at the median is too slow. */
const SLOW_MS = 100;
/** The first frame compiles, and one of two says nothing about the rest. */
const FRAMES_MIN = 5;
/** Frames that fill the span by themselves are never as many. */
const FRAMES_MIN_BUSY = 3;
/** A burst of slow frames is a hiccup; they have to go on for most of the span. */
const GOES_ON_MS = 1_500;

/** Drawing for this share of the time is drawing all the time. */
const BUSY_SHARE = 0.9;

/** The frames that still count, with the newest. */
export function withFrame(frames: readonly FrameTime[], newest: FrameTime): FrameTime[] {
  return [...frames.filter(({ at_ms }) => newest.at_ms - at_ms <= SPAN_MS), newest];
}

/** True if graphics are too slow here, judged by nothing but the time that frames take. */
export function isSlow(frames: readonly FrameTime[]): boolean {
  const [first, last] = [frames.at(0), frames.at(-1)];
  if (!first || !last || last.at_ms - first.at_ms < GOES_ON_MS) return false;
  // The newest one ended after the span: what counts is the time that was drawn within it.
  const busy_ms = frames.slice(0, -1).reduce((sum, { took_ms }) => sum + took_ms, 0);
  const isBusy = busy_ms >= BUSY_SHARE * (last.at_ms - first.at_ms);
  if (frames.length < (isBusy ? FRAMES_MIN_BUSY : FRAMES_MIN)) return false;
  const sorted = frames.map(({ took_ms }) => took_ms).toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? 0) > SLOW_MS;
}
