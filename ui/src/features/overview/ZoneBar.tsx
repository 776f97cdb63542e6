import { useLocation } from "wouter";
import { Button } from "../../design/components/Button";
import { SelectField } from "../../design/fields/SelectField";
import { formatNumber } from "../../design/format/numbers";
import { type DrawnZone, zonePart } from "../../domain/scene/flat/drawn-zone";
import { t } from "../../locales/i18n";
import styles from "./ZoneBar.module.css";

type ZoneBarProps = {
  /** Robots that know the frame of the scene. */
  robots: readonly string[];
  robot: string;
  onRobot: (robot: string) => void;
  zone: DrawnZone | null;
  onCancel: () => void;
};

/** The zone that is drawn on the scene, and the way into the form that adds it. Nothing is in force before that. */
export function ZoneBar({ robots, robot, onRobot, zone, onCancel }: ZoneBarProps) {
  const box = zone && "KeepOutBox" in zone.limit ? zone.limit.KeepOutBox : null;
  const address = `/safety/${robot}/new/${zone === null ? "numbers" : zonePart(zone)}`;
  const [, navigate] = useLocation();
  return (
    <div className={styles.bar} data-testid="zone-bar" role="group" aria-label={t("zone.title")}>
      <strong>{t("zone.title")}</strong>
      <SelectField
        label={t("zone.robot")}
        value={robot}
        options={robots.map((value) => ({ value, text: value }))}
        problem={null}
        onChange={onRobot}
      />
      <span className={styles.size} role="status">
        {zone && box
          ? t("zone.size", {
              width: formatNumber(box.max[0] - box.min[0], 2),
              depth: formatNumber(box.max[1] - box.min[1], 2),
              frame: zone.frame,
            })
          : t("zone.hint")}
      </span>
      <Button look="primary" data-testid="check-zone" onClick={() => navigate(address)}>
        {t(zone === null ? "zone.by_numbers" : "zone.check")}
      </Button>
      <Button look="quiet" data-testid="cancel-zone" onClick={onCancel}>
        {t("zone.cancel")}
      </Button>
    </div>
  );
}
