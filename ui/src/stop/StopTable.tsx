import { isSeenMoving, type StopRow } from "../domain/stop/open-stops";
import { formatNumber } from "../design/format/numbers";
import { behaviourOf } from "../domain/stop/stop-behaviour";

import styles from "./StopTable.module.css";
import { words } from "./strings";

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
          <th scope="col">{words().robot}</th>
          <th scope="col">{words().acknowledged}</th>
          <th scope="col">{words().speed}</th>
          <th scope="col">{words().standstill}</th>
          <th scope="col" className="visually-hidden">
            {words().behaviour}
          </th>
          <th scope="col" className="visually-hidden">
            {words().hardware}
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
  const { words: behaviour, category } = behaviourOf(row.behaviour);
  return (
    <tr data-testid={`stop-robot-${row.robot}`} data-acked={row.acked_after_ms !== null}>
      <th scope="row">
        {row.robot}
        {row.released && <small>{words().released}</small>}
        {unattended && <small>{words().unattended}</small>}
      </th>
      {row.not_confirmed ? (
        <td className={styles.unconfirmed}>
          {words().notConfirmedRow(row.hardware_estop)}
          {row.acked_after_ms !== null && <small>{words().late(formatNumber(row.acked_after_ms, 0))}</small>}
        </td>
      ) : (
        <td className={styles.number}>
          {msText(row.acked_after_ms, words().waiting)}
          <small>{sentText(row.sent_after_ms)}</small>
        </td>
      )}
      <td className={styles.number}>
        {row.speed_mps === null ? words().noSpeed : `${formatNumber(row.speed_mps, 2)} m/s`}
      </td>
      <td>
        {isSeenMoving(row) ? <strong>{words().moving}</strong> : row.standstill ? words().observed : words().unknown}
        <small>{standstillText(row)}</small>
      </td>
      <td className={styles.wide}>
        {behaviour}, {category}
      </td>
      <td className={styles.wide}>{words().estopAt(row.hardware_estop)}</td>
    </tr>
  );
}

function msText(after_ms: number | null, otherwise: string): string {
  return after_ms === null ? otherwise : `${formatNumber(after_ms, 0)} ms`;
}

function sentText(after_ms: number | null): string {
  return after_ms === null ? words().notSentYet : words().sentAfter(formatNumber(after_ms, 0));
}

/** Since when it was seen standing; nothing about a robot that moves. */
function standstillText({ standstill, standstill_after_ms }: StopRow): string | null {
  if (standstill === null) return words().noMotionData;
  if (!standstill || standstill_after_ms === null) return null;
  return words().after(formatNumber(standstill_after_ms, 0));
}
