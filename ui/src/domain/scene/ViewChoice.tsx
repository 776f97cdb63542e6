import { Segments } from "../../design/components/Segments";
import { t } from "../../locales/i18n";
import type { ViewSide } from "./flat/view";

/** Views of a scene. */
export type SceneView = ViewSide | "space";

/** One of three sides, or three dimensions. */
export function ViewChoice({ view, onView }: { view: SceneView; onView: (view: SceneView) => void }) {
  const options = (["top", "front", "side", "space"] as const).map((value) => ({ value, text: t(`scene.${value}`) }));
  return <Segments label={t("scene.views")} value={view} options={options} onChange={onView} />;
}
