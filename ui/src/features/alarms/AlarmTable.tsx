import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import type { AlarmPreset } from "../../generated/bindings/AlarmPreset";
import { isUnacknowledged } from "../../domain/alarm/alarm-state";
import { Button } from "../../design/components/Button";
import table from "../../design/components/table.module.css";
import { Behind } from "../../design/layout/Behind";
import { useHeldOrder } from "../../design/layout/useHeldOrder";
import { t } from "../../locales/i18n";
import { findShortcut, useHints } from "../../design/shortcuts/keys-in-force";
import { useTurned } from "../../design/shortcuts/useTurned";
import { AlarmLine } from "./AlarmLine";
import { AcknowledgeButton } from "./AcknowledgeButton";
import styles from "./AlarmTable.module.css";
import { listPath } from "./alarm-place";
import { GroupLine } from "./GroupLine";
import { itemsOf, visibleAlarms } from "./grouping";

/** A page: what can be acknowledged at once (AL-05), and what one look takes in. */
const PAGE = 100;

/** Actions that the keys of a line ask for. */
export type LineAct = "acknowledge" | "shelve";

type AlarmTableProps = {
  alarms: readonly AlarmRow[];
  /** Local time at which they were asked for: the ages in them count from then on. */
  asked_ms: number;
  preset: AlarmPreset;
  selected: string | null;
  onAct: (alarm: AlarmRow, act: LineAct) => void;
};

/** The list. Arrows go from alarm to alarm, A acknowledges, S shelves (U-1309). */
export function AlarmTable({ alarms, asked_ms, preset, selected, onAct }: AlarmTableProps) {
  const list = useRef<HTMLTableSectionElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [page, setPage] = useState(0);
  const { rows, behind, letIn, handlers } = useHeldOrder(alarms, ({ id }) => id);
  const over = new Set(rows.flatMap(({ row, gone }) => (gone ? [row.id] : [])));
  const items = itemsOf(
    rows.map(({ row }) => row),
    open,
  );
  const pages = Math.max(1, Math.ceil(items.length / PAGE));
  const at = Math.min(page, pages - 1);
  const shown = items.slice(at * PAGE, (at + 1) * PAGE);
  // One that has left the list would make the station refuse the whole page.
  const visible = visibleAlarms(shown).filter(({ id }) => !over.has(id));
  const unseen = visible.filter(({ state }) => isUnacknowledged(state));

  const moved = useFocusOn(list, over);

  const toggle = (first: string) => {
    const next = new Set(open);
    if (!next.delete(first)) next.add(first);
    setOpen(next);
  };

  return (
    <>
      <div className={table.scroll} {...handlers}>
        <table className={table.table} data-testid="alarm-table">
          <Head />
          <tbody ref={list} onKeyDown={(event) => actByKey(event, visible, moved ? ignore : onAct)}>
            {shown.map((item) =>
              item.kind === "group" ? (
                <GroupLine
                  key={`group ${item.group.first_out}`}
                  group={item.group}
                  first={item.first}
                  state={item.state}
                  open={item.open}
                  onToggle={() => toggle(item.group.first_out)}
                />
              ) : (
                <AlarmLine
                  key={item.alarm.id}
                  alarm={item.alarm}
                  asked_ms={asked_ms}
                  path={listPath(preset, item.alarm.id)}
                  selected={item.alarm.id === selected}
                  inGroup={item.inGroup}
                  gone={over.has(item.alarm.id)}
                />
              ),
            )}
          </tbody>
        </table>
      </div>
      <footer className={styles.foot}>
        <AcknowledgeButton
          alarms={unseen}
          label={t("alarms.acknowledge_page", { count: unseen.length })}
          testId="acknowledge-page"
        />
        <Behind count={behind} onLetIn={letIn} />
        <KeysHint />
        <Pages at={at} pages={pages} onPage={setPage} />
      </footer>
    </>
  );
}

/** The keys of a line, as far as there are any. */
function KeysHint() {
  const hints = useHints();
  const [acknowledge, shelve] = [hints.of("acknowledge_alarm"), hints.of("shelve_alarm")];
  if (acknowledge === "" || shelve === "") return null;
  return <span className={styles.hint}>{t("alarms.keys", { acknowledge, shelve })}</span>;
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="visually-hidden">{t("alarms.priority")}</span>
        </th>
        <th scope="col">{t("alarms.what")}</th>
        <th scope="col">{t("alarms.now")}</th>
        <th scope="col">{t("alarms.since")}</th>
        <th scope="col">{t("alarms.state")}</th>
      </tr>
    </thead>
  );
}

function Pages({ at, pages, onPage }: { at: number; pages: number; onPage: (page: number) => void }) {
  if (pages <= 1) return null;
  return (
    <span className={styles.pages}>
      <Button disabled={at === 0} onClick={() => onPage(at - 1)}>
        {t("alarms.previous")}
      </Button>
      {t("alarms.page", { page: at + 1, pages })}
      <Button disabled={at === pages - 1} onClick={() => onPage(at + 1)}>
        {t("alarms.next")}
      </Button>
    </span>
  );
}

function actByKey(
  event: KeyboardEvent<HTMLElement>,
  visible: readonly AlarmRow[],
  onAct: AlarmTableProps["onAct"],
): void {
  if (!(event.target instanceof HTMLElement)) return;
  const id = event.target.dataset["alarm"];
  const shortcut = findShortcut(event, "alarm");
  const alarm = visible.find((row) => row.id === id);
  if (event.key === "ArrowDown" || event.key === "ArrowUp")
    stepFocus(event.currentTarget, event.key === "ArrowDown" ? 1 : -1);
  else if (alarm && shortcut === "acknowledge_alarm" && isUnacknowledged(alarm.state)) onAct(alarm, "acknowledge");
  else if (alarm && shortcut === "shelve_alarm") onAct(alarm, "shelve");
  else return;
  event.preventDefault();
}

/** For a key that was meant for the alarm that has just left. */
function ignore(): void {}

/**
 * Whoever acknowledges one alarm after the other goes on with the next one when a line leaves the list. True for the
 * moment in which a key still means the line before.
 */
function useFocusOn(list: RefObject<HTMLElement | null>, over: ReadonlySet<string>): boolean {
  const [moves, setMoves] = useState(0);
  // Synchronises with the focus of the window: a line that becomes inert lets go of it.
  useLayoutEffect(() => {
    if (over.size === 0) return;
    const line = document.activeElement?.closest<HTMLTableRowElement>("tr[inert]");
    if (!line || !list.current?.contains(line)) return;
    const lines = [...list.current.querySelectorAll("tr")];
    const at = lines.indexOf(line);
    const next = [...lines.slice(at + 1), ...lines.slice(0, at).toReversed()].find(
      (other) => !other.hasAttribute("inert"),
    );
    const stop = next?.querySelector<HTMLElement>(STOPS);
    if (!stop) return;
    stop.focus();
    setMoves((before) => before + 1);
  }, [list, over]);
  return useTurned(`${moves}`);
}

/** The links and buttons that the arrows stop at. */
const STOPS = "[data-alarm], button[aria-expanded]";

function stepFocus(list: HTMLElement, step: 1 | -1): void {
  const stops = [...list.querySelectorAll<HTMLElement>(STOPS)];
  const here = stops.findIndex((stop) => stop === document.activeElement);
  stops[Math.min(Math.max(here + step, 0), stops.length - 1)]?.focus();
}
