import type { ReactNode } from "react";
import { Diamond } from "../theme/icons/Diamond";
import styles from "./Chip.module.css";

/** The meaning of a chip's look: a fact, not yet fact, yours, too old, simulated, or the origin of a value. */
export type ChipKind = "fact" | "agent" | "yours" | "stale" | "sim" | "origin";

/** A word or two about the thing beside it. */
export function Chip({ kind = "fact", children }: { kind?: ChipKind; children: ReactNode }) {
  return (
    <span className={styles.chip} data-kind={kind}>
      {kind === "agent" && <Diamond />}
      {children}
    </span>
  );
}

type EvidenceChipProps = { name: string; value: string; confidence?: string; age: string; stale?: boolean };

/** A row of data that somebody relied on: its key, its value, and how sure and how old it was. */
export function EvidenceChip({ name, value, confidence, age, stale = false }: EvidenceChipProps) {
  return (
    <span className={styles.chip} data-kind={stale ? "stale" : "evidence"} data-figures="">
      <code>{name}</code>
      <b>{value}</b>
      <span className={styles.about}>
        {confidence !== undefined && `${confidence} `}
        {age}
      </span>
    </span>
  );
}
