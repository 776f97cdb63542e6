import { Link } from "wouter";
import type { MissionRow } from "../../generated/bindings/MissionRow";
import table from "../../design/components/table.module.css";
import { NO_NUMBER } from "../../design/format/numbers";
import { formatMoment } from "../../design/format/time";
import { t } from "../../locales/i18n";
import { wordOf } from "./mission-state";
import styles from "./Missions.module.css";

/** Missions, where each stands and why, and what is wrong with its file. */
export function MissionTable({
  missions,
  selected,
}: {
  missions: readonly MissionRow[];
  selected: string | undefined;
}) {
  return (
    <div className={table.scroll}>
      <table className={table.table} data-testid="missions">
        <thead>
          <tr>
            <th scope="col">{t("missions.mission")}</th>
            <th scope="col">{t("missions.state")}</th>
            <th scope="col">{t("missions.why")}</th>
            <th scope="col">{t("missions.expires")}</th>
            <th scope="col" className={table.number}>
              {t("missions.problems")}
            </th>
          </tr>
        </thead>
        <tbody>
          {missions.map((mission) => (
            <tr
              key={mission.id}
              className={styles.row}
              aria-current={mission.id === selected ? "true" : undefined}
              data-testid={`mission-${mission.id}`}
            >
              <th scope="row" className={table.wrap}>
                <Link href={`/missions/${mission.id}`}>{mission.title}</Link>{" "}
                <small className={table.muted}>{mission.id}</small>
                {mission.status !== "draft" && mission.flags.includes("draft") && (
                  <small className={table.muted}> · {t("missions.file_differs")}</small>
                )}
              </th>
              <td>
                <span className={styles.state} data-state={mission.state}>
                  {wordOf(mission.state)}
                </span>
              </td>
              <td className={table.wrap}>
                {mission.error ?? mission.reason?.sentence ?? <span className={table.muted}>{NO_NUMBER}</span>}
              </td>
              <td>
                {mission.expires_at === null ? (
                  <span className={table.muted}>{t("missions.never")}</span>
                ) : (
                  formatMoment(mission.expires_at * 1_000)
                )}
              </td>
              <td className={table.number}>{problemText(mission)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function problemText({ errors, warnings }: MissionRow): string {
  const counted = [
    ...(errors > 0 ? [t("missions.errors", { count: errors })] : []),
    ...(warnings > 0 ? [t("missions.warnings", { count: warnings })] : []),
  ];
  return counted.length === 0 ? t("missions.no_problem") : counted.join(", ");
}
