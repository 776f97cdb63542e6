// The drawing of a scene, on the elements of a component.

import { type RefObject, useEffect, useRef, useState } from "react";
import { Scene2d, type SceneLook } from "./scene2d";
import type { SceneModel } from "./scene-model";

type Ref<Part> = RefObject<Part | null>;

/** The elements that a scene is drawn on. */
export type SceneRefs = { canvas: Ref<HTMLCanvasElement>; marks: Ref<HTMLElement>; tools: Ref<HTMLElement> };

/** The drawing on these elements, of what is known now. */
export function useScene2d({ canvas, marks, tools }: SceneRefs, model: SceneModel, look: SceneLook) {
  const scene = useRef<Scene2d>(null);
  const { side, focus, chosen, follow } = look;

  // Synchronises with the canvas: it is drawn outside React.
  useEffect(() => {
    if (!canvas.current || !marks.current || !tools.current) return;
    const drawn = new Scene2d();
    drawn.mount({ canvas: canvas.current, marks: marks.current, tools: tools.current });
    scene.current = drawn;
    return () => drawn.dispose();
  }, [canvas, marks, tools]);

  // Synchronises with the canvas: shows what is known now.
  useEffect(() => scene.current?.update(model, { side, focus, chosen, follow }), [model, side, focus, chosen, follow]);
  return scene;
}

/** True if the view follows the chosen robot; while that is not drawn, it follows nobody. */
export function useFollowing(model: SceneModel, chosen: string | null) {
  const [wanted, setWanted] = useState(false);
  const placed = chosen !== null && model.robots.some(({ id }) => id === chosen);
  return { placed, follow: wanted && placed, setFollow: setWanted };
}
