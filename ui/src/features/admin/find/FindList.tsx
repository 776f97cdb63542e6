import type { Find } from "../../../generated/bindings/Find";
import type { FindOffer } from "../../../generated/bindings/FindOffer";
import type { ScannedPlace } from "../../../generated/bindings/ScannedPlace";
import type { ScanReport } from "../../../generated/bindings/ScanReport";
import { Button } from "../../../design/components/Button";
import { Chip } from "../../../design/components/Chip";
import { Notice } from "../../../design/components/Notice";
import table from "../../../design/components/table.module.css";
import { Panel } from "../../../design/layout/Panel";
import { t } from "../../../locales/i18n";
import styles from "../Admin.module.css";
import find from "./Find.module.css";

/** The finds of a scan, the most certain first. */
export function FindList({ report, onChoose }: { report: ScanReport; onChoose: (find: Find) => void }) {
  const problems = report.places.filter(({ problem }) => problem !== null);
  return (
    <Panel title={t("find_robot.finds")}>
      {report.finds.length === 0 && <Notice title={t("find_robot.none")} detail={t("find_robot.none_detail")} />}
      {report.finds.length > 0 && <Finds finds={report.finds} onChoose={onChoose} />}
      {report.finds_left_out > 0 && (
        <p className={`${styles.line} ${styles.hint}`}>{t("find_robot.left_out", { count: report.finds_left_out })}</p>
      )}
      {problems.map((place) => (
        <Notice
          key={`${place.protocol} ${place.address}`}
          title={t("find_robot.not_seen", { place: placeOf(place) })}
          detail={place.problem ?? ""}
        />
      ))}
    </Panel>
  );
}

function Finds({ finds, onChoose }: { finds: readonly Find[]; onChoose: (find: Find) => void }) {
  return (
    <div className={table.scroll}>
      <table className={table.table} data-testid="finds">
        <thead>
          <tr>
            <th scope="col">{t("find_robot.name")}</th>
            <th scope="col">{t("find_robot.certainty")}</th>
            <th scope="col">{t("find_robot.place")}</th>
            <th scope="col">{t("find_robot.offers")}</th>
            <th scope="col">{t("find_robot.lacks")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("access.acts")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {finds.map((row) => (
            <tr key={row.id} data-testid={`find-${row.name}`}>
              <th scope="row" className={table.key}>
                <bdi>{row.name}</bdi>
              </th>
              <td>
                <Chip kind={row.certainty === "certain" ? "fact" : "agent"}>
                  {t(`find_certainty.${row.certainty}`)}
                </Chip>
              </td>
              <td>{placeOf(row)}</td>
              <td className={table.wrap}>
                <Offers offers={row.offers} left_out={row.offers_left_out} />
              </td>
              <td className={table.wrap}>{row.lacks.map((lack) => t(`find_lack.${lack}`)).join(", ")}</td>
              <td>
                <Button
                  size="row"
                  onClick={() => onChoose(row)}
                  aria-label={t("find_robot.set_up", { name: row.name })}
                >
                  {t("find_robot.choose")}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The place of a find in words. */
export function placeOf({ protocol, address }: Pick<ScannedPlace, "protocol" | "address">): string {
  return t(`find_protocol.${protocol}`, { address });
}

/** The number of things that a robot offers, and all of them on demand. */
function Offers({ offers, left_out }: { offers: readonly FindOffer[]; left_out: number }) {
  return (
    <details>
      <summary>{t("find_robot.offer_count", { count: offers.length + left_out })}</summary>
      <ul className={find.offers}>
        {offers.map(({ kind, name, type }) => (
          <li key={`${kind} ${name} ${type}`}>
            {t(`offer_kind.${kind}`)} <code>{name}</code> <code>{type}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
