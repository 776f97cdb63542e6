import { Link } from "wouter";
import { formatNumber, unitSymbol } from "../../design/format/numbers";
import { formatWholeAge } from "../../design/format/time";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import styles from "./Evidence.module.css";
import { shortened } from "./tool-words";
import { type Evidence, readsAs } from "./evidence";

/** A value that the words rest on, as old as it was then; it opens the row, and says if that reads otherwise now. */
export function EvidenceChip({ fact }: { fact: Evidence }) {
  const { entry, key, value, unit, confidence, age_s } = fact;
  // Answered here, not by the value: a pose is a new object with every frame, and would draw the chip each time.
  const changed = useLive((store) => {
    const now = store.signal(`world/${store.agent ?? ""}/${key}`)?.value;
    return now !== undefined && typeof now !== "object" && !readsAs(now, value);
  });
  const facts = [
    unit === null ? "" : ` ${unitSymbol(unit)}`,
    ...(confidence === null ? [] : [formatNumber(confidence, 2)]),
    t("evidence_chip.age", { age: formatWholeAge(age_s * 1_000) }),
    ...(changed ? [t("evidence_chip.changed")] : []),
  ];
  return (
    <Link
      className={styles.chip ?? ""}
      href={`/world/key/${key}`}
      data-testid={`evidence-${key}`}
      title={t("evidence_chip.from", { entry, key })}
    >
      {/* Words from outside do not turn around what stands behind them. */}
      {key} = <bdi>{shortened(value)}</bdi>
      {facts.join(" · ")}
    </Link>
  );
}
