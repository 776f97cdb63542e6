// The bitmap of a canvas, as fine as the screen.

import type { CanvasSize } from "./view";

/** The size of a canvas on the page. */
export function sizeOf(canvas: HTMLCanvasElement): CanvasSize {
  return { width_px: canvas.clientWidth, height_px: canvas.clientHeight };
}

/** An empty bitmap of the canvas's size, counted in CSS pixels. */
export function cleared(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D): CanvasSize {
  const size = sizeOf(canvas);
  const density = devicePixelRatio;
  resize(canvas, Math.round(size.width_px * density), Math.round(size.height_px * density));
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, size.width_px, size.height_px);
  return size;
}

/** Only another size: assigning even the same one throws the bitmap away. */
function resize(canvas: HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}
