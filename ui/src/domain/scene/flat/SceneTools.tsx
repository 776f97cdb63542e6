import { Crosshair, Map, Maximize, ZoomIn, ZoomOut } from "lucide-react";
import type { PointerEvent, RefObject } from "react";
import { Button } from "../../../design/components/Button";
import { IconButton } from "../../../design/components/IconButton";
import { useHints } from "../../../design/shortcuts/keys-in-force";
import { t } from "../../../locales/i18n";
import { useMapsChoice } from "../maps/useMaps";
import type { SceneModel } from "./scene-model";
import { hasWalls } from "./scene-plan";
import styles from "./Scene.module.css";

type SceneToolsProps = {
  ref: RefObject<HTMLDivElement | null>;
  /** The place of the coordinates under the pointer. */
  point: RefObject<HTMLSpanElement | null>;
  /** The robot that can be followed. */
  chosen: string | null;
  follow: boolean;
  onFollow: () => void;
  onFit: () => void;
  onZoomIn: () => void;
  onZoomOut: () => void;
  /** The scene, where maps of robots can be drawn. */
  mapped: Pick<SceneModel, "has_maps" | "plan"> | null;
};

/** The acts of the mouse on the scene, as buttons. */
export function SceneTools({
  ref,
  point,
  chosen,
  follow,
  onFollow,
  onFit,
  onZoomIn,
  onZoomOut,
  mapped,
}: SceneToolsProps) {
  const hints = useHints();
  return (
    <div ref={ref} className={styles.tools} onPointerDown={stop} onDoubleClick={stop}>
      <span ref={point} className={styles.point} aria-hidden="true" data-testid="scene-point" />
      {chosen !== null && (
        <Button
          look="quiet"
          size="row"
          data-testid="scene-follow"
          aria-pressed={follow}
          title={hints.title("scene_follow")}
          onClick={onFollow}
        >
          <Crosshair aria-hidden="true" />{" "}
          {follow ? t("scene.following", { robot: chosen }) : t("scene.follow", { robot: chosen })}
        </Button>
      )}
      {mapped?.has_maps === true && <MapsTool plan={mapped.plan} />}
      <Button look="quiet" size="row" data-testid="scene-fit" title={hints.title("scene_fit")} onClick={onFit}>
        <Maximize aria-hidden="true" /> {t("scene.fit")}
      </Button>
      <IconButton label={t("scene.zoom_out")} Icon={ZoomOut} keys={hints.title("scene_zoom_out")} onClick={onZoomOut} />
      <IconButton label={t("scene.zoom_in")} Icon={ZoomIn} keys={hints.title("scene_zoom_in")} onClick={onZoomIn} />
    </div>
  );
}

/** Maps of robots are drawn, or not. */
function MapsTool({ plan }: Pick<SceneModel, "plan">) {
  const { shown, setShown } = useMapsChoice(hasWalls(plan));
  return (
    <Button
      look="quiet"
      size="row"
      data-testid="scene-maps"
      aria-pressed={shown}
      title={t("scene.maps_hint")}
      onClick={() => setShown(!shown)}
    >
      <Map aria-hidden="true" /> {t("scene.maps")}
    </Button>
  );
}

/** A press on a tool is none on the scene under it. */
function stop(event: Pick<PointerEvent, "stopPropagation">): void {
  event.stopPropagation();
}
