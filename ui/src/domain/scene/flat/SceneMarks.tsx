import { formatPosition } from "../../../design/format/numbers";
import { t } from "../../../locales/i18n";
import type { SceneRobot } from "./scene-model";
import styles from "./Scene.module.css";

type SceneMarksProps = {
  robots: readonly SceneRobot[];
  chosen: string | null;
  onChoose: (robot: string | null) => void;
  onReveal: (robot: string) => void;
};

/** A button on each robot, for keys and for whoever has the window read out: the drawing itself is an image. */
export function SceneMarks({ robots, chosen, onChoose, onReveal }: SceneMarksProps) {
  return robots.map(({ id, position_m }) => (
    <button
      key={id}
      type="button"
      className={styles.mark}
      data-robot={id}
      data-testid={`scene-robot-${id}`}
      aria-pressed={id === chosen}
      aria-label={t("scene.robot", { robot: id, position: formatPosition(position_m) })}
      onFocus={() => onReveal(id)}
      onClick={() => onChoose(id === chosen ? null : id)}
    />
  ));
}
