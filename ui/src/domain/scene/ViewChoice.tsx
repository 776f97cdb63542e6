import { Choice } from "../../design/components/Choice";
import { t } from "../../locales/i18n";
import type { ViewSide } from "./flat/view";

/** Views of a scene. */
export type SceneView = ViewSide | "space";

/** One of three sides, or three dimensions. */
export function ViewChoice({ view, onView }: { view: SceneView; onView: (view: SceneView) => void }) {
  const options = (["top", "front", "side", "space"] as const).map((value) => ({ value, text: t(`scene.${value}`) }));
  return <Choice label={t("scene.views")} value={view} options={options} onChange={onView} />;
}
