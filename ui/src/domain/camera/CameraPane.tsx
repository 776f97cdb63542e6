import { Maximize2 } from "lucide-react";
import { useRef, useState } from "react";
import type { CameraRow } from "../../generated/bindings/CameraRow";
import { Dialog } from "../../design/components/Dialog";
import { formatNumber } from "../../design/format/numbers";
import { shownAge } from "../../design/format/shown-age";
import { formatAge, formatClock } from "../../design/format/time";
import { errorSentence, t } from "../../locales/i18n";
import { useStation } from "../station/station-context";
import { useLive } from "../station/useLive";
import { useTicked } from "../station/useTicked";
import styles from "./CameraPane.module.css";
import type { CameraView, DetectorState, PictureState } from "./camera-view";
import { DetectedObjects } from "./DetectedObjects";
import { usePictures } from "./usePictures";

type CameraProps = { robot: string; camera: CameraRow };

/** A camera's picture with its age and rate (U-406, U-1108). A click or Enter shows it as large as the window has room. */
export function CameraPane({ robot, camera }: CameraProps) {
  const [large, setLarge] = useState(false);
  const name = t("camera.name", { robot, camera: camera.id });
  return (
    <div className={styles.pane} data-testid={`camera-${robot}-${camera.id}`}>
      <Picture robot={robot} camera={camera} onLarge={() => setLarge(true)} />
      {large && (
        <Dialog title={name} size="wide" testId="camera-large" onClose={() => setLarge(false)}>
          <div className={styles.pane} data-large="">
            <Picture robot={robot} camera={camera} onLarge={null} />
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** The picture, what is wrong with it, and the line of facts below it. */
function Picture({ robot, camera, onLarge }: CameraProps & { onLarge: (() => void) | null }) {
  const { store } = useStation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = usePictures(canvas, robot, camera);
  const state = useTicked(() => view.state(store.time));
  const trouble = useTicked(() => troubleOf(view, state, view.age_ms(store.time)));
  const hatched = useTicked(() => isHatched(view, state));
  const name = t("camera.name", { robot, camera: camera.id });
  return (
    <figure className={styles.figure} data-state={state}>
      <div className={styles.picture}>
        <canvas ref={canvas} className={styles.canvas} role="img" aria-label={t("camera.picture", { name })} />
        {hatched && <div className={styles.hatch} />}
        <Objects view={view} />
        {trouble !== "" && (
          <p className={styles.trouble} data-testid="camera-trouble">
            {trouble}
          </p>
        )}
        {onLarge !== null && (
          <button type="button" className={styles.open} aria-label={t("camera.open", { name })} onClick={onLarge}>
            <Maximize2 aria-hidden="true" />
          </button>
        )}
      </div>
      <figcaption className={styles.facts}>
        {onLarge !== null && <strong className={styles.name}>{name}</strong>}
        <Facts view={view} max_age_ms={camera.max_age_ms} />
      </figcaption>
    </figure>
  );
}

/** The objects that a detector finds, over the picture. */
function Objects({ view }: { view: CameraView }) {
  const objects = useLive((store) => view.objects(store.time));
  const { facts } = view;
  if (objects.length === 0 || !facts?.width_px || !facts.height_px) return null;
  return <DetectedObjects objects={objects} width_px={facts.width_px} height_px={facts.height_px} />;
}

function Facts({ view, max_age_ms }: { view: CameraView; max_age_ms: number }) {
  const { store } = useStation();
  const size = useTicked(() => sizeOf(view));
  const age = useTicked(() => shownAge(view.freshness(store.time), view.age_ms(store.time), max_age_ms));
  // A rate that nobody counts any more is none.
  const rates = useTicked(() => (store.time.lost || view.error !== null ? "" : ratesOf(view, store.time.local_ms)));
  const found = useTicked(() => foundOf(view, view.detector(store.time)));
  return (
    <>
      {size !== "" && <span>{size}</span>}
      {rates !== "" && <span>{rates}</span>}
      {found !== "" && <span data-testid="camera-detections">{found}</span>}
      <span className={styles.age} data-testid="camera-age">
        {age}
      </span>
    </>
  );
}

/** Both are counted over two seconds, not the same two: no more can be shown than arrives. */
function ratesOf(view: CameraView, local_ms: number): string {
  const arriving = view.facts?.rate_hz ?? 0;
  if (arriving === 0) return "";
  const shown = Math.min(view.shownHz(local_ms), arriving);
  return t("camera.rate", { shown: formatNumber(shown, 1), arriving: formatNumber(arriving, 1) });
}

/** The number of objects that the detector finds, or why there are none; empty for a camera without a detector. */
function foundOf({ facts }: CameraView, state: DetectorState | null): string {
  switch (state) {
    case null:
      return "";
    case "live":
    case "aging":
      return t("camera.found", { count: facts?.detections?.objects.length ?? 0 });
    case "never":
    case "stale":
    case "lost":
      return t("camera.detector_silent");
    case "faulty":
      return t(`camera.detection_fault.${facts?.detections?.fault ?? "not_detections"}`);
  }
}

function sizeOf({ facts }: CameraView): string {
  if (facts === null || facts.width_px === null || facts.height_px === null) return "";
  return t("camera.size", { width: facts.width_px, height: facts.height_px });
}

/** "4 s", "2 min 10 s": nobody reads the tenths of a picture's age. */
function wholeAge(age_ms: number): string {
  return age_ms < 60_000 ? t("camera.seconds", { seconds: Math.floor(age_ms / 1_000) }) : formatAge(age_ms);
}

/** True if there is a picture that may not be what the camera sees now. */
function isHatched(view: CameraView, state: PictureState): boolean {
  const drawn = view.facts !== null && view.facts.observed_mono_ms !== null;
  return drawn && state !== "live" && state !== "aging";
}

/** The sentence over a picture that is not current; empty for one that is. */
function troubleOf({ facts, error, seen_unix_ms }: CameraView, state: PictureState, age_ms: number | null): string {
  switch (state) {
    case "live":
    case "aging":
      return "";
    case "never":
      return t("camera.never");
    case "stale":
    case "lost":
      return age_ms === null
        ? t("camera.never")
        : t("camera.lost", { age: wholeAge(age_ms), clock: formatClock(seen_unix_ms) });
    case "faulty":
      return t(`camera.fault.${facts?.fault ?? "not_jpeg"}`);
    case "unreachable":
      return error === null ? "" : errorSentence(error.code, error.message, error.details);
  }
}
