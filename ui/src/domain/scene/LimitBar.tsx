import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { Button } from "../../design/components/Button";
import { SelectField } from "../../design/fields/SelectField";
import { formatNumber } from "../../design/format/numbers";
import { t } from "../../locales/i18n";
import { useCommandRefusal } from "../station/useCommandRefusal";
import { changedNumbers, directionOf, numbersPart, placedName } from "./flat/limit-change";
import type { ChangeableLimit, LimitChange } from "./flat/useLimitChange";
import styles from "./LimitBar.module.css";

/** The limit that is moved on the scene, what that would mean, and the way into the form that changes it. */
export function LimitBar({ change }: { change: LimitChange }) {
  const { limits, chosen, limit } = change;
  const [, navigate] = useLocation();
  const refusal = useCommandRefusal();
  const bar = useRef<HTMLDivElement>(null);
  useFocusInside(bar);
  const direction = chosen && limit ? directionOf(chosen.row.constraint, limit) : "same";
  const check = () => {
    if (!chosen || !limit) return;
    const part = encodeURIComponent(numbersPart(limit));
    navigate(`/safety/${chosen.robot.id}/change/${encodeURIComponent(chosen.row.id)}/${part}`);
  };
  return (
    <div ref={bar} className={styles.bar} data-testid="limit-bar" role="group" aria-label={t("limit_change.title")}>
      <SelectField
        label={t("limit_change.which")}
        value={chosen?.row.id ?? ""}
        options={[{ value: "", text: t("limit_change.choose") }, ...optionsOf(limits)]}
        problem={null}
        onChange={(id) => change.choose(id === "" ? null : id)}
      />
      <span className={styles.said} role="status" data-testid="limit-means" data-direction={direction}>
        {refusal ?? meaning(change, direction)}
      </span>
      <Button
        look="primary"
        data-testid="check-limit"
        disabled={refusal !== null || direction === "same"}
        onClick={check}
      >
        {t("limit_change.check")}
      </Button>
      <Button look="quiet" data-testid="leave-limit" onClick={change.giveUp}>
        {t("limit_change.give_up")}
      </Button>
    </div>
  );
}

function meaning({ limits, chosen, limit, edit }: LimitChange, direction: ReturnType<typeof directionOf>): string {
  if (limits.length === 0) return t("limit_change.none");
  if (!chosen || !limit) return t("limit_change.how");
  if (direction === "same") return t(edit === null ? "limit_change.no_handles" : "limit_change.hint");
  const changes = changedNumbers(chosen.row.constraint, limit).map(({ label, old_m, new_m }) =>
    t("limit_change.number", { label, old: formatNumber(old_m, 2), new: formatNumber(new_m, 2) }),
  );
  return `${changes.join(", ")}. ${t(`limit_change.${direction}`)}`;
}

/** Each limit by its robot and kind, and by a number where that names two. */
function optionsOf(limits: readonly ChangeableLimit[]): { value: string; text: string }[] {
  const named = limits.map(({ row, robot }) => ({
    value: row.id,
    text: t("limit_change.of", { robot: robot.id, limit: placedName(row.constraint) }),
  }));
  const all = new Map<string, number>();
  for (const { text } of named) all.set(text, (all.get(text) ?? 0) + 1);
  const numbered = new Map<string, number>();
  return named.map(({ value, text }) => {
    const number = (numbered.get(text) ?? 0) + 1;
    numbered.set(text, number);
    return { value, text: all.get(text) === 1 ? text : `${text} ${number}` };
  });
}

/** The first control has the focus while the bar stands there, and whoever opened it has it back. */
function useFocusInside(bar: RefObject<HTMLElement | null>): void {
  // Synchronises with the focus of the window: whoever opened the bar chooses a limit in it.
  useEffect(() => {
    const element = bar.current;
    const before = document.activeElement;
    element?.querySelector<HTMLElement>("select")?.focus();
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, [bar]);
}
