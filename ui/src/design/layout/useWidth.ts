// How wide an element is laid out.

import { type RefCallback, useState } from "react";

/** Before anything has been measured, and where nothing is laid out. */
const WIDTH_FIRST_PX = 640;

/** The width in pixels of the element that `measured` is given to. */
export function useWidth(): { measured: RefCallback<Element>; width_px: number } {
  const [width_px, setWidth] = useState(WIDTH_FIRST_PX);
  const measured: RefCallback<Element> = (element) => {
    if (!element || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(
      ([entry]) => entry && entry.contentRect.width > 0 && setWidth(entry.contentRect.width),
    );
    observer.observe(element);
    return () => observer.disconnect();
  };
  return { measured, width_px };
}
