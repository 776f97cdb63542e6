import type { KeyboardEvent, PointerEvent, RefObject } from "react";
import type { Scene2d } from "./scene2d";
import type { SceneEdit, SceneHandle } from "./scene-edit";
import styles from "./Scene.module.css";
import { spotIn } from "./useSceneHands";
import { unflatten, type ViewSide } from "./view";

/** One press of an arrow key, metres; with Shift a fifth of it. */
const STEP_M = 0.05;
const FINE_M = 0.01;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

type SceneHandlesProps = { edit: SceneEdit; side: ViewSide; scene: RefObject<Scene2d | null> };

/** The handles of the limit that is being written, moved by pointer and by arrow keys. */
export function SceneHandles({ edit, side, scene }: SceneHandlesProps) {
  return edit.handles.map((handle) => <Grip key={handle.id} handle={handle} edit={edit} side={side} scene={scene} />);
}

function Grip({ handle, edit, side, scene }: SceneHandlesProps & { handle: SceneHandle }) {
  const { id, at_m, label, mark, slider, pointerOnly } = handle;
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    // The scene under the handle would move, or draw, with the same press.
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    // A view that fitted the limit anew would move it away under the pointer.
    scene.current?.hold();
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const stage = event.currentTarget.closest<HTMLElement>("[data-stage]");
    const at = stage && scene.current?.pointAt(spotIn(stage, event));
    if (at) edit.onMove(id, unflatten(side, at, at_m));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key];
    if (!arrow) return;
    event.preventDefault();
    event.stopPropagation();
    scene.current?.hold();
    const step_m = event.shiftKey ? FINE_M : STEP_M;
    edit.onNudge(id, arrow[0] * step_m, arrow[1] * step_m);
  };
  const common = {
    className: styles.handle,
    "data-testid": `handle-${id}`,
    "data-handle": id,
    "data-at": at_m.join(" "),
    "data-mark": mark ?? undefined,
    onPointerDown,
    onPointerMove,
    onDoubleClick: (event: { stopPropagation: () => void }) => event.stopPropagation(),
  };
  if (pointerOnly) return <div {...common} aria-hidden="true" />;
  if (slider === null)
    return <button {...common} type="button" data-round="true" aria-label={label} onKeyDown={onKeyDown} />;
  return (
    <div
      {...common}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuenow={slider.value_m}
      aria-valuetext={slider.text}
      onKeyDown={onKeyDown}
    />
  );
}
