import { SetUpRobots } from "../../domain/robot/SetUpRobots";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useState } from "react";
import type { WorldRow } from "../../generated/bindings/WorldRow";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import type { Freshness } from "../../design/format/freshness";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./StatePanel.module.css";
import { StateTable } from "./StateTable";
import { freshnessOf } from "./useWorldReading";
import { isOfKind, type Kind, KINDS, type Order, shownRows } from "./world-rows";

/** The most rows asked for; filters narrow what is shown of them. An agent holds no more keys (ST-08). */
const ROWS_MAX = 20_000;

/** Also what nobody has said anything about yet. */
const EVERY: Freshness[] = ["live", "aging", "stale", "lost", "never"];

/** The state table with its filters. `selected` is the key that is explained. */
export function StatePanel({ selected }: { selected: string | null }) {
  const query = useRows("world", "list_world_state", { freshness: EVERY, limit: ROWS_MAX });
  const [filter, setFilter] = useState("");
  const [kind, setKind] = useState<Kind>("all");
  const [order, setOrder] = useState<Order>({ column: "key", down: false });
  // Typing must not wait for thousands of rows.
  const wanted = useDeferredValue(filter);
  const clear = () => {
    setFilter("");
    setKind("all");
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") setFilter("");
  };
  return (
    <Panel
      title={t("world.state")}
      aside={
        <>
          <select
            className={styles.filter}
            data-testid="world-kind"
            aria-label={t("world.kind")}
            value={kind}
            onChange={(event) => setKind(KINDS.find((name) => name === event.target.value) ?? "all")}
          >
            {KINDS.map((name) => (
              <option key={name} value={name}>
                {t(`world_kind.${name}`)}
              </option>
            ))}
          </select>
          <input
            type="search"
            className={styles.filter}
            data-testid="world-filter"
            data-search
            placeholder={t("world.filter")}
            aria-label={t("world.filter")}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            onKeyDown={onKeyDown}
          />
        </>
      }
    >
      <Rows query={query} what={t("world.state")}>
        {({ rows, asked_ms }) =>
          rows.length === 0 ? (
            <Notice title={t("world.empty")} detail={t("world.empty_detail")}>
              <SetUpRobots />
            </Notice>
          ) : (
            <Found rows={rows} shown={shownRows(rows, wanted, order)} kind={kind} onClear={clear}>
              {(found) => (
                <StateTable rows={found} asked_ms={asked_ms} order={order} onOrder={setOrder} selected={selected} />
              )}
            </Found>
          )
        }
      </Rows>
    </Panel>
  );
}

type FoundProps = {
  rows: readonly WorldRow[];
  shown: readonly WorldRow[];
  kind: Kind;
  onClear: () => void;
  children: (found: readonly WorldRow[]) => ReactNode;
};

/**
 * Rows that pass the filters, and their number. Freshness changes without an answer of the station, so it is looked at
 * anew.
 */
function Found({ rows, shown, kind, onClear, children }: FoundProps) {
  // One text, so that frames which change nobody's freshness draw nothing.
  const keys = useLive((store) =>
    kind === "all"
      ? null
      : shown
          .filter((row) => isOfKind(row, kind, freshnessOf(store, row)))
          .map(({ key }) => key)
          .join(" "),
  );
  const wanted = keys === null ? null : new Set(keys.split(" "));
  const found = wanted === null ? shown : shown.filter(({ key }) => wanted.has(key));
  return (
    <>
      {found.length < rows.length && (
        <p className={styles.count} role="status">
          {t("world.found", { count: rows.length, found: found.length })}{" "}
          <button type="button" className={styles.clear} onClick={onClear}>
            {t("world.show_all")}
          </button>
        </p>
      )}
      {children(found)}
    </>
  );
}
