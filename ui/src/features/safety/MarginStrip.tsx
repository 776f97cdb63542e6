import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Aged } from "../../design/components/Aged";
import { Panel } from "../../design/layout/Panel";
import { formatNumber } from "../../design/format/numbers";
import { useReading } from "../../domain/robot/useReading";
import { t } from "../../locales/i18n";
import { kindOf, kindText } from "./limit-kinds";
import { scopeText } from "./limit-words";
import styles from "./MarginStrip.module.css";
import { type Margin, marginsOf } from "./margins";

/** Live distance to every face and zone; an old pose hatches it, a lost one reads as lost (U-1605). */
export function MarginStrip({ robot, rows }: { robot: RobotRow; rows: readonly ConstraintRow[] }) {
  const { signal, state, age } = useReading(`robot/${robot.id}/pose`, robot.id);
  const pose = signal && typeof signal.value === "object" ? signal.value : null;
  const limits = pose ? marginsOf(rows, robot, pose) : [];
  return (
    <Panel title={t("margins.title")}>
      {pose === null && (
        <p className={styles.line}>
          <Aged state="never" age="">
            {null}
          </Aged>
        </p>
      )}
      {pose !== null && limits.length === 0 && <p className={styles.line}>{t("margins.none")}</p>}
      {limits.map(({ row, frame, margins }) => (
        <section key={row.id} className={styles.limit} aria-label={row.id} data-testid={`margins-${row.id}`}>
          <h3 className={styles.name}>
            {kindText(kindOf(row.constraint))} <small>{scopeText(row)}</small>
          </h3>
          <dl className={styles.strip}>
            {margins.map((margin) => (
              <div key={margin.label} className={styles.margin}>
                <dt>{margin.label}</dt>
                <dd>
                  <Aged state={state} age={age} origin={signal?.origin}>
                    {distanceText(margin, frame)}
                  </Aged>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className={styles.note}>{t("margins.note")}</p>
    </Panel>
  );
}

/** A point beyond a surface is told by a word, not by a sign that is easily overlooked. */
function distanceText({ distance_m }: Margin, frame: string): string {
  if (distance_m === null) return t("margins.unplaced", { frame });
  const text = `${formatNumber(Math.abs(distance_m), 2)} m`;
  return distance_m < 0 ? `${text} ${t("margins.beyond")}` : text;
}
