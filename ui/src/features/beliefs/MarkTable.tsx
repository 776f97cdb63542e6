import { useLayoutEffect, useRef } from "react";
import table from "../../design/components/table.module.css";
import { formatNumber, NO_NUMBER } from "../../design/format/numbers";
import { formatMoment } from "../../design/format/time";
import { ROW_PX, useRowWindow } from "../../design/layout/useRowWindow";
import { RowGap } from "../../design/layout/RowGap";
import { t } from "../../locales/i18n";
import type { Mark } from "./belief-marks";
import { evidenceText, markName } from "./belief-words";
import { MarkShapeIcon } from "./MarkShapeIcon";
import styles from "./MarkTable.module.css";

type MarkTableProps = { marks: readonly Mark[]; selected: string | null; onOpen: (id: string) => void };

/** The timeline as a table, newest first: the same marks with the same facts (U-2004). */
export function MarkTable({ marks, selected, onOpen }: MarkTableProps) {
  const newest = marks.toReversed();
  const { scroller, from, to, before_px, after_px } = useRowWindow(newest.length);
  const frame = useKeptPlace(newest);
  return (
    <div
      ref={(element) => {
        frame(element);
        scroller(element);
      }}
      data-testid="mark-scroll"
      className={`${table.scroll} ${styles.scroll}`}
    >
      <table className={table.table} aria-rowcount={newest.length + 1} data-testid="mark-table">
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t("timeline.when")}</th>
            <th scope="col">{t("timeline.what")}</th>
            <th scope="col">{t("beliefs.value")}</th>
            <th scope="col" className={table.number}>
              {t("timeline.before")}
            </th>
            <th scope="col" className={table.number}>
              {t("timeline.after")}
            </th>
            <th scope="col">{t("evidence.title")}</th>
          </tr>
        </thead>
        <tbody>
          <RowGap height_px={before_px} columns={6} />
          {newest.slice(from, to).map((mark, place) => (
            <tr
              key={mark.id}
              data-mark={mark.shape}
              aria-rowindex={from + place + 2}
              aria-current={mark.id === selected ? "true" : undefined}
              className={styles.row}
            >
              <td>
                <button type="button" className={styles.open} onClick={() => onOpen(mark.id)}>
                  {formatMoment(mark.at * 1_000)}
                </button>
              </td>
              <td>
                <MarkShapeIcon shape={mark.shape} /> {markName(mark)}
              </td>
              <td className={styles.value} title={mark.row?.value}>
                {mark.row?.value ?? NO_NUMBER}
              </td>
              <td className={table.number}>{formatNumber(mark.row?.confidence_before, 2)}</td>
              <td className={table.number}>{formatNumber(mark.row?.confidence_after, 2)}</td>
              <td className={styles.value} title={mark.row === null ? undefined : evidenceText(mark.row.evidence)}>
                {mark.row === null ? NO_NUMBER : evidenceText(mark.row.evidence)}
              </td>
            </tr>
          ))}
          <RowGap height_px={after_px} columns={6} />
        </tbody>
      </table>
    </div>
  );
}

/** New rows come in at the top: the one that is being read stays where it is. */
function useKeptPlace(newest: readonly Mark[]): (element: HTMLElement | null) => void {
  const frame = useRef<HTMLElement>(null);
  const known = useRef(newest[0]?.id);
  const first = newest[0]?.id;

  // Synchronises with the scroll position; the sheet keeps the browsers that would do it by themselves from it.
  useLayoutEffect(() => {
    const added = newest.findIndex(({ id }) => id === known.current);
    known.current = first;
    // At the very top the newest is what is wanted.
    if (frame.current && frame.current.scrollTop > 0 && added > 0) frame.current.scrollTop += added * ROW_PX;
  }, [first, newest]);
  return (element) => {
    frame.current = element;
  };
}
