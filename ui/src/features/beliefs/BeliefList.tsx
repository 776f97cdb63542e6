import { type KeyboardEvent, useEffect, useState } from "react";
import { suggest } from "../../domain/agent/draft";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { Rows } from "../../design/components/Rows";
import { useStation } from "../../domain/station/station-context";
import { useRested } from "../../design/fields/useRested";
import { useRowWindow } from "../../design/layout/useRowWindow";
import { type HostError, toHostError } from "../../host/host";
import { t } from "../../locales/i18n";
import { BeliefLine, SubjectLine } from "./BeliefLine";
import styles from "./BeliefList.module.css";
import { type TreeLine, treeLines } from "./belief-tree";
import { type StateFilter, useBeliefs } from "./useBeliefs";

/** A word that is half typed is not looked for. */
const REST_MS = 150;
/** Example of a sentence that makes the agent hold a belief; the simulator has the person. */
const EXAMPLE = "remember person location = hallway";
/** The next page is asked for when the end is this many lines away. */
const AHEAD = 60;

/** Subjects and what is held about them, with a search. */
export function BeliefList({ filter, selected }: { filter: StateFilter; selected: string | undefined }) {
  const [text, setText] = useState("");
  const [wanted, setWanted] = useState("");
  const rested = useRested(text.trim(), REST_MS);
  useEffect(() => {
    // Synchronises with the clock behind `useRested`: null only says that somebody is typing.
    if (rested !== null) setWanted(rested);
  }, [rested]);
  const beliefs = useBeliefs(filter, wanted);
  const { store } = useStation();
  return (
    <Panel
      title={t("beliefs.list")}
      aside={
        <input
          type="search"
          data-search
          data-testid="belief-search"
          className={styles.search}
          placeholder={t("beliefs.search")}
          aria-label={t("beliefs.search")}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      }
    >
      <Rows query={beliefs} what={t("beliefs.list")}>
        {({ pages }) => {
          const rows = pages.flat();
          if (rows.length > 0) {
            return (
              <Lines
                beliefs={rows}
                selected={selected}
                hasMore={beliefs.hasNextPage}
                failed={beliefs.isFetchNextPageError ? toHostError(beliefs.error) : null}
                onMore={() => beliefs.isFetchingNextPage || void beliefs.fetchNextPage()}
              />
            );
          }
          if (wanted !== "" || filter !== "all")
            return <Notice title={t("beliefs.none_found")} detail={t("beliefs.none_found_detail")} />;
          return (
            <Notice title={t("beliefs.none")} detail={t("beliefs.none_detail")}>
              <Button data-testid="belief-try" onClick={() => suggest(store, EXAMPLE)}>
                {t("beliefs.try")}
              </Button>
            </Notice>
          );
        }}
      </Rows>
    </Panel>
  );
}

type LinesProps = {
  beliefs: Parameters<typeof treeLines>[0];
  selected: string | undefined;
  hasMore: boolean;
  /** The failure of the next page; null where it did not fail. */
  failed: HostError | null;
  onMore: () => void;
};

function Lines({ beliefs, selected, hasMore, failed, onMore }: LinesProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const lines = treeLines(beliefs, closed);
  const { scroller, from, to, before_px, after_px } = useRowWindow(lines.length);
  // What has failed would fail again with every change on screen: a person asks for it.
  const near = hasMore && failed === null && to >= lines.length - AHEAD;

  // Synchronises with the station: the end of what was asked for comes into sight. After every rendering,
  // because a page that has come may end in sight as well.
  useEffect(() => {
    if (near) onMore();
  });

  const toggle = (subject: string) =>
    setClosed((now) =>
      now.has(subject) ? new Set([...now].filter((other) => other !== subject)) : new Set(now).add(subject),
    );
  const tell = (line: TreeLine) =>
    line.kind === "subject" ? (
      <SubjectLine key={`subject ${line.subject}`} {...line} onToggle={() => toggle(line.subject)} />
    ) : (
      <BeliefLine key={line.belief.id} belief={line.belief} selected={line.belief.id === selected} />
    );
  return (
    <>
      <div ref={scroller} className={styles.scroll} data-testid="belief-list">
        <ul onKeyDown={stepFocus}>
          <li aria-hidden="true" style={{ height: before_px }} />
          {lines.slice(from, to).map(tell)}
          <li aria-hidden="true" style={{ height: after_px }} />
        </ul>
      </div>
      {failed !== null && (
        <div className={styles.count}>
          <Refusal error={failed} />
          <Button onClick={onMore}>{t("common.retry")}</Button>
        </div>
      )}
      <p className={styles.count}>{t(hasMore ? "beliefs.count_so_far" : "beliefs.count", { count: beliefs.length })}</p>
    </>
  );
}

/** Arrows go from line to line; left and right close and open a subject. */
function stepFocus(event: KeyboardEvent<HTMLElement>): void {
  const here = document.activeElement;
  if (!(here instanceof HTMLElement)) return;
  const isOpen = here.getAttribute("aria-expanded");
  if ((event.key === "ArrowLeft" && isOpen === "true") || (event.key === "ArrowRight" && isOpen === "false")) {
    event.preventDefault();
    here.click();
    return;
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("a, button")];
  stops[stops.indexOf(here) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
}
