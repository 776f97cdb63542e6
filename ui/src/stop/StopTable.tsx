import type { StopRow } from "../domain/stop/open-stops";
import { formatNumber } from "../design/format/numbers";
import { BEHAVIOUR } from "../domain/stop/stop-behaviour";

import styles from "./StopTable.module.css";
import { WORDS } from "./strings";

/** One row per robot. What was commanded and what was observed are separate columns. */
export function StopTable({ rows }: { rows: readonly StopRow[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{WORDS.robot}</th>
          <th scope="col">{WORDS.sent}</th>
          <th scope="col">{WORDS.acknowledged}</th>
          <th scope="col">{WORDS.speed}</th>
          <th scope="col">{WORDS.standstill}</th>
          <th scope="col">{WORDS.behaviour}</th>
          <th scope="col">{WORDS.hardware}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Robot key={row.robot} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Robot({ row }: { row: StopRow }) {
  const { words, category } = BEHAVIOUR[row.behaviour];
  return (
    <tr data-testid={`stop-robot-${row.robot}`} data-acked={row.acked_after_ms !== null}>
      <th scope="row">
        {row.robot}
        {row.released && <small> {WORDS.released}</small>}
      </th>
      <td data-label={WORDS.sent}>{afterText(row.sent_after_ms, WORDS.notYet)}</td>
      {row.not_confirmed ? (
        <td className={styles.unconfirmed} data-label={WORDS.acknowledged}>
          {WORDS.notConfirmedRow(row.hardware_estop)}
          {row.acked_after_ms !== null && <small>{WORDS.late(formatNumber(row.acked_after_ms, 0))}</small>}
        </td>
      ) : (
        <td data-label={WORDS.acknowledged}>{afterText(row.acked_after_ms, WORDS.waiting)}</td>
      )}
      <td data-label={WORDS.speed}>
        {row.speed_mps === null ? WORDS.noMotionData : `${formatNumber(row.speed_mps, 2)} m/s`}
      </td>
      <td data-label={WORDS.standstill}>
        {row.standstill === false ? <strong>{standstillText(row.standstill)}</strong> : standstillText(row.standstill)}
      </td>
      <td data-label={WORDS.behaviour}>
        {words}
        <small>{category}</small>
      </td>
      <td data-label={WORDS.hardware}>{row.hardware_estop}</td>
    </tr>
  );
}

function afterText(after_ms: number | null, otherwise: string): string {
  return after_ms === null ? otherwise : WORDS.after(formatNumber(after_ms, 0));
}

function standstillText(standstill: boolean | null): string {
  if (standstill === null) return WORDS.noMotionData;
  return standstill ? WORDS.observed : WORDS.moving;
}
