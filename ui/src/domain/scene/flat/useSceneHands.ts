// The mouse, fingers and the wheel on a scene.

import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { Gestures, wheelFactor } from "./gestures";
import type { Scene2d } from "./scene2d";
import type { Spot } from "./view";

/** The effects of a hand on the scene outside of it. */
export type HandActs = {
  /** A click: on a robot, or beside all of them. */
  onChoose: (robot: string | null) => void;
  /** A click on the outline of a limit, beside all robots; without it such a click is one beside them. */
  onLimit: ((limit: string) => void) | undefined;
  /** The view was moved away from whom it followed. */
  onPan: () => void;
  /** The pointer is over a point of the scene, or has left. */
  onPoint: (point_m: readonly [number, number] | null) => void;
  /** A drag draws from one point to the other, while this is given. */
  onDraw: ((from_m: PlanePoint, to_m: PlanePoint, ended: boolean) => void) | null;
  /** A click counts as a drag that ends where it began. */
  clicks: boolean;
};

/** A point of the plane that a side shows, metres. */
type PlanePoint = readonly [number, number];

/**
 * Handlers for the element that carries the scene. A scene within a page that scrolls zooms by the wheel only while it has
 * the focus, or with Ctrl; a pinch on a trackpad is such a wheel.
 */
export function useSceneHands(
  stage: RefObject<HTMLElement | null>,
  scene: RefObject<Scene2d | null>,
  embedded: boolean,
  { onChoose, onLimit, onPan, onPoint, onDraw, clicks }: HandActs,
) {
  const [hands] = useState(() => new Gestures());
  const drawn = useRef<{ pointer: number; from_m: PlanePoint; moved: boolean } | null>(null);

  // Synchronises with the wheel: only a listener that is not passive may keep the page from scrolling.
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      if (embedded && !event.ctrlKey && !element.contains(document.activeElement)) return;
      event.preventDefault();
      scene.current?.zoomBy(wheelFactor(event), spotIn(element, event));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [stage, scene, embedded]);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    const spot = spotIn(event.currentTarget, event);
    const from_m = scene.current?.pointAt(spot);
    // A second finger does not begin the drawing anew.
    if (drawn.current) return;
    if (!onDraw || !from_m) return hands.press(event.pointerId, spot);
    event.currentTarget.setPointerCapture(event.pointerId);
    scene.current?.hold();
    drawn.current = { pointer: event.pointerId, from_m, moved: clicks };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const element = event.currentTarget;
    const spot = spotIn(element, event);
    const at_m = scene.current?.pointAt(spot) ?? null;
    const drawing = drawn.current;
    if (drawing?.pointer === event.pointerId && at_m) {
      drawing.moved = true;
      onDraw?.(drawing.from_m, at_m, false);
      return onPoint(at_m);
    }
    // A press that left the scene before it was a drag was let go elsewhere: nothing is held any more.
    if (event.buttons === 0) hands.release(event.pointerId, true);
    const move = hands.move(event.pointerId, spot);
    if (move) {
      element.setPointerCapture(event.pointerId);
      scene.current?.panBy(-move.right_px, move.down_px);
      if (move.factor !== 1) scene.current?.zoomBy(move.factor, move.at);
      onPan();
    }
    onPoint(at_m);
    element.dataset["hand"] = hands.moving ? "moves" : scene.current?.robotAt(spot) ? "robot" : "none";
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const drawing = drawn.current;
    if (drawing?.pointer === event.pointerId) {
      drawn.current = null;
      const at_m = scene.current?.pointAt(spotIn(event.currentTarget, event));
      if (drawing.moved && at_m && event.type === "pointerup") onDraw?.(drawing.from_m, at_m, true);
      return;
    }
    const clicked = hands.release(event.pointerId, event.type !== "pointerup");
    if (clicked) clickOn(scene.current, clicked, { onChoose, onLimit });
  };
  return {
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel: onPointerUp,
    onPointerLeave: () => onPoint(null),
  };
}

/** A robot comes before the limit that it stands on. */
function clickOn(
  scene: Scene2d | null,
  spot: Spot,
  { onChoose, onLimit }: Pick<HandActs, "onChoose" | "onLimit">,
): void {
  const robot = scene?.robotAt(spot) ?? null;
  const limit = robot === null && onLimit ? (scene?.limitAt(spot) ?? null) : null;
  if (limit !== null) onLimit?.(limit);
  else onChoose(robot);
}

/** The place of a pointer within an element. */
export function spotIn(element: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }): Spot {
  const { left, top } = element.getBoundingClientRect();
  return [clientX - left, clientY - top];
}
