// Draws the pictures of a camera on a canvas for as long as that is visible.

import { type RefObject, useEffect, useState } from "react";
import type { CameraRow } from "../../generated/bindings/CameraRow";
import { useStation } from "../station/station-context";
import { CameraView } from "./camera-view";
import { loaderOf } from "./picture-loader";

/** The facts about the camera; the view changes without rendering, and is read with the ticker of the window. */
export function usePictures(canvas: RefObject<HTMLCanvasElement | null>, robot: string, camera: CameraRow): CameraView {
  const { host, store } = useStation();
  const { id, rate_hz } = camera;
  const [view] = useState(() => new CameraView(camera));

  // Synchronises with the station and the canvas, and with what is in sight.
  useEffect(() => {
    const shown = canvas.current;
    if (!shown) return;
    let end: (() => void) | null = null;
    const watch = () =>
      loaderOf(host).watch({
        robot,
        camera: id,
        rate_hz,
        onAnswer: async (facts, jpeg) => {
          if (jpeg === null) return view.note(facts, store.time);
          try {
            await draw(shown, jpeg, facts.width_px);
          } catch {
            // The station has answered: what fails here is this picture, and the pane says so.
            return view.noteUndrawn(facts, store.time);
          }
          view.noteDrawn(performance.now());
          view.note(facts, store.time);
        },
        onError: (error) => view.noteError(error),
      });
    let inSight = false;
    const follow = () => {
      // A hidden window asks for nothing: pictures take from the connections that STOP ALL needs.
      const visible = inSight && document.visibilityState === "visible";
      if (visible) end ??= watch();
      else {
        end?.();
        end = null;
      }
    };
    const observer = new IntersectionObserver((entries) => {
      // Several changes may be reported at once; the last one is how it stands.
      inSight = entries.at(-1)?.isIntersecting ?? false;
      follow();
    });
    observer.observe(shown);
    document.addEventListener("visibilitychange", follow);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", follow);
      end?.();
    };
  }, [canvas, host, store, robot, id, rate_hz, view]);
  return view;
}

/** Decodes the picture beside the page's own thread, no larger than it is shown, and puts it on the canvas. */
async function draw(canvas: HTMLCanvasElement, jpeg: Blob, width_px: number | null): Promise<void> {
  const room_px = Math.ceil(canvas.clientWidth * devicePixelRatio);
  const smaller = width_px !== null && room_px > 0 && room_px < width_px;
  const bitmap = await createImageBitmap(jpeg, smaller ? { resizeWidth: room_px, resizeQuality: "medium" } : {});
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
  }
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
}
