import type { JointResult } from "../../../generated/bindings/JointResult";
import type { JointRow } from "../../../generated/bindings/JointRow";
import type { MeansResult } from "../../../generated/bindings/MeansResult";
import type { StopMeans } from "../../../generated/bindings/StopMeans";
import { formatQuantity } from "../../../design/format/numbers";
import { t } from "../../../locales/i18n";
import { figure, inRow } from "./figure";
import styles from "./RoundResults.module.css";

type RoundResultsProps = {
  joints: readonly JointResult[];
  means: readonly MeansResult[];
  /** The joints of the robot, with their units. */
  rows: readonly JointRow[];
};

/** The rounds of a step, one line each: joints that were moved, or means of stopping that were tried. */
export function RoundResults({ joints, means, rows }: RoundResultsProps) {
  if (joints.length + means.length === 0) return null;
  return (
    <ul className={styles.rounds}>
      {joints.map((result) => (
        <li
          key={`${result.actuator} ${result.joint}`}
          data-testid={`joint-${result.joint}`}
          data-outcome={result.outcome}
        >
          {t("commissioning.round", { name: result.joint, result: jointWords(result, rows) })}
        </li>
      ))}
      {means.map((result) => (
        <li key={meansWords(result.means)} data-testid="means-result" data-outcome={result.outcome}>
          {t("commissioning.round", { name: meansWords(result.means), result: triedWords(result) })}
        </li>
      ))}
    </ul>
  );
}

function jointWords(
  { joint, outcome, commanded, measured, time_ms, time_ms_max }: JointResult,
  rows: readonly JointRow[],
) {
  const unit = rows.find((row) => row.name === joint)?.unit ?? "";
  const lengths = { shown: formatQuantity(measured, 3, unit), whole: formatQuantity(commanded, 3, unit) };
  const way = commanded === 0 ? null : t("commissioning.way", lengths);
  return inRow(t(`step_outcome.${outcome}`), [way, figure(time_ms, time_ms_max, 0, "ms")]);
}

function triedWords({ outcome, time_ms, time_ms_max, distance_m }: MeansResult) {
  const figures = [figure(time_ms, time_ms_max, 0, "ms"), figure(distance_m, null, 3, "m")];
  return inRow(t(`means_outcome.${outcome}`), figures);
}

/** The means in words, with the name that the wiring gives it. */
export function meansWords(means: StopMeans): string {
  if (typeof means === "string") return t(`stop_means.${means}`);
  if ("goals" in means) return t("stop_means.goals", { name: means.goals });
  if ("cancel" in means) return t("stop_means.cancel", { name: means.cancel });
  return t("stop_means.service", { name: means.service });
}
