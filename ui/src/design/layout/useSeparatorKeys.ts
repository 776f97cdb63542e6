// Arrow keys on a separator, in steps of pixels: the library's own are steps of percent.

import { type KeyboardEvent, useRef } from "react";
import type { GroupImperativeHandle, useDefaultLayout } from "react-resizable-panels";

/** One press of an arrow key, px. */
export const STEP_PX = 8;

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -STEP_PX,
  ArrowUp: -STEP_PX,
  ArrowRight: STEP_PX,
  ArrowDown: STEP_PX,
};

/** Keeps a layout: the library counts one that was set from outside as nobody's choice. */
export type Keep = ReturnType<typeof useDefaultLayout>["onLayoutChanged"];

/** References for a group of two panels, `first` and `second`, and the handler for the separator between them. */
export function useSeparatorKeys(along: "row" | "column", keep: Keep) {
  const group = useRef<GroupImperativeHandle>(null);
  const element = useRef<HTMLDivElement>(null);
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const by_px = STEPS[event.key];
    if (by_px === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const all_px = (along === "row" ? element.current?.clientWidth : element.current?.clientHeight) ?? 0;
    const now = group.current?.getLayout()["first"];
    if (now === undefined || all_px === 0) return;
    const next = now + (by_px / all_px) * 100;
    const layout = group.current?.setLayout({ first: next, second: 100 - next });
    if (layout) keep(layout, { isUserInteraction: true, requestedLayout: layout });
  };
  return { group, element, onKeyDownCapture };
}
