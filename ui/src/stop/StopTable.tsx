import type { StopRow } from "../domain/stop/open-stops";
import { formatNumber } from "../design/format/numbers";
import { BEHAVIOUR } from "../domain/stop/stop-behaviour";

import styles from "./StopTable.module.css";
import { WORDS } from "./strings";

type StopTableProps = {
  rows: readonly StopRow[];
  /** Robots among them that may move while nobody looks. */
  unattended: readonly string[];
};

/** One row per robot. What was commanded and what was observed are separate columns. */
export function StopTable({ rows, unattended }: StopTableProps) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{WORDS.robot}</th>
          <th scope="col">{WORDS.acknowledged}</th>
          <th scope="col">{WORDS.speed}</th>
          <th scope="col">{WORDS.standstill}</th>
          <th scope="col" className="visually-hidden">
            {WORDS.behaviour}
          </th>
          <th scope="col" className="visually-hidden">
            {WORDS.hardware}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Robot key={row.robot} row={row} unattended={unattended.includes(row.robot)} />
        ))}
      </tbody>
    </table>
  );
}

function Robot({ row, unattended }: { row: StopRow; unattended: boolean }) {
  const { words, category } = BEHAVIOUR[row.behaviour];
  return (
    <tr data-testid={`stop-robot-${row.robot}`} data-acked={row.acked_after_ms !== null}>
      <th scope="row">
        {row.robot}
        {row.released && <small>{WORDS.released}</small>}
        {unattended && <small>{WORDS.unattended}</small>}
      </th>
      {row.not_confirmed ? (
        <td className={styles.unconfirmed}>
          {WORDS.notConfirmedRow(row.hardware_estop)}
          {row.acked_after_ms !== null && <small>{WORDS.late(formatNumber(row.acked_after_ms, 0))}</small>}
        </td>
      ) : (
        <td className={styles.number}>
          {msText(row.acked_after_ms, WORDS.waiting)}
          <small>{sentText(row.sent_after_ms)}</small>
        </td>
      )}
      <td className={styles.number}>
        {row.speed_mps === null ? WORDS.noSpeed : `${formatNumber(row.speed_mps, 2)} m/s`}
      </td>
      <td>
        {row.standstill === false ? <strong>{WORDS.moving}</strong> : row.standstill ? WORDS.observed : WORDS.unknown}
        <small>{standstillText(row)}</small>
      </td>
      <td className={styles.wide}>
        {words}, {category}
      </td>
      <td className={styles.wide}>{WORDS.estopAt(row.hardware_estop)}</td>
    </tr>
  );
}

function msText(after_ms: number | null, otherwise: string): string {
  return after_ms === null ? otherwise : `${formatNumber(after_ms, 0)} ms`;
}

function sentText(after_ms: number | null): string {
  return after_ms === null ? WORDS.notSentYet : WORDS.sentAfter(formatNumber(after_ms, 0));
}

/** Since when it was seen standing; nothing about a robot that moves. */
function standstillText({ standstill, standstill_after_ms }: StopRow): string | null {
  if (standstill === null) return WORDS.noMotionData;
  if (!standstill || standstill_after_ms === null) return null;
  return WORDS.after(formatNumber(standstill_after_ms, 0));
}
