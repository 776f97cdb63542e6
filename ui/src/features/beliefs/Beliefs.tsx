import { useState } from "react";
import { useLocation } from "wouter";
import { AdminGrant } from "../../domain/station/AdminGrant";
import screen from "../../design/layout/screen.module.css";
import { Segments } from "../../design/components/Segments";
import { Split } from "../../design/layout/Split";
import { Notice } from "../../design/components/Notice";
import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { BeliefDetail } from "./BeliefDetail";
import { BeliefList } from "./BeliefList";
import styles from "./Beliefs.module.css";
import type { StateFilter } from "./useBeliefs";

const FILTERS: readonly StateFilter[] = ["all", "held", "weak", "challenged", "faded"];
/** The newest that can have happened to a belief. */
const ROWS_MAX = 10_000;

/** Width of the list, px: a predicate and its value side by side. */
const LIST_PX = 304;
const LIST_PX_MIN = 220;
const LIST_PX_MAX = 480;

/** Beliefs of the agent, their age and their evidence. `id` is the belief shown. */
export function Beliefs({ id }: { id: string | undefined }) {
  const [filter, setFilter] = useState<StateFilter>("all");
  const [, navigate] = useLocation();
  const [message, setMessage] = useState<{ said: string; of: string } | null>(null);
  // It is about a belief that is gone, and would seem to be about the next one.
  if (message !== null && id !== undefined && id !== message.of) setMessage(null);
  return (
    <div className={`${screen.screen} ${styles.beliefs}`}>
      <header className={screen.head}>
        <h1 className={screen.title}>{t("nav.beliefs")}</h1>
        <Segments
          label={t("beliefs.filter")}
          value={filter}
          options={FILTERS.map((value) => ({ value, text: t(`beliefs.filter_${value}`) }))}
          onChange={setFilter}
        />
        <div className={screen.end}>
          <AdminGrant />
        </div>
      </header>
      {message !== null && (
        <p className={styles.message} role="status">
          {message.said}
        </p>
      )}
      <div className={styles.columns}>
        <Split
          id="beliefs"
          label={t("beliefs.list_width")}
          along="row"
          first_px={LIST_PX}
          min_px={LIST_PX_MIN}
          max_px={LIST_PX_MAX}
          first={<BeliefList filter={filter} selected={id} />}
          second={
            id === undefined ? (
              <div className={styles.unselected}>
                <Notice title={t("beliefs.choose")} detail={t("beliefs.choose_detail")} />
              </div>
            ) : (
              <Selected
                key={id}
                id={id}
                onForgotten={(said) => {
                  setMessage({ said, of: id });
                  navigate("/beliefs");
                }}
              />
            )
          }
        />
      </div>
    </div>
  );
}

function Selected({ id, onForgotten }: { id: string; onForgotten: (message: string) => void }) {
  const history = useRows("beliefs", "belief_history", { id, max_points: ROWS_MAX });
  return (
    <div className={styles.detail}>
      <Rows query={history} what={t("timeline.title")}>
        {({ rows }) => <BeliefDetail history={rows} onForgotten={onForgotten} />}
      </Rows>
    </div>
  );
}
