import { useDeferredValue, useState } from "react";
import { Notice } from "../../shared/components/Notice";
import { Panel } from "../../shared/components/Panel";
import { Rows } from "../../shared/components/Rows";
import { useRows } from "../../shared/hooks/useRows";
import { t } from "../../shared/i18n";
import styles from "./StatePanel.module.css";
import { StateTable } from "./StateTable";
import { type Order, shownRows } from "./world-rows";

/** The most rows asked for; a filter narrows what is shown of them. */
const ROWS_MAX = 1_000;

/** The state table with its filter. */
export function StatePanel() {
  const query = useRows("world", "list_world_state", { limit: ROWS_MAX });
  const [filter, setFilter] = useState("");
  const [order, setOrder] = useState<Order>({ column: "key", down: false });
  const wanted = useDeferredValue(filter);
  return (
    <Panel
      title={t("world.state")}
      aside={
        <input
          type="search"
          className={styles.filter}
          placeholder={t("world.filter")}
          aria-label={t("world.filter")}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      }
    >
      <Rows query={query} what={t("world.state")}>
        {({ rows, asked_ms }) =>
          rows.length === 0 ? (
            <Notice title={t("world.empty")} detail={t("world.empty_detail")} />
          ) : (
            <StateTable rows={shownRows(rows, wanted, order)} asked_ms={asked_ms} order={order} onOrder={setOrder} />
          )
        }
      </Rows>
    </Panel>
  );
}
