import { ChevronDown, ChevronRight } from "lucide-react";
import { Fragment, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import { Notice } from "../../../design/components/Notice";
import { FilterField } from "../../../design/fields/FilterField";
import { t } from "../../../locales/i18n";
import { type RowWindow, useRowWindow } from "../../../design/layout/useRowWindow";
import { treeOf, type TreeRow } from "./graph-model";
import { MissionMark } from "./MissionMark";
import styles from "./MissionTree.module.css";
import { sentenceOf, stageOf } from "./node-words";

type MissionTreeProps = { graph: MissionGraph; selected: string | undefined; onSelect: (id: string) => void };

/** Missions below what they wait for: the graph for readers, fingers and keys (U-1016). */
export function MissionTree({ graph, selected, onSelect }: MissionTreeProps) {
  const [words, setWords] = useState("");
  const { rows, toggle } = useTreeRows(graph, words.trim().toLowerCase());
  const { scroller, made: places, after_px, show } = useRowWindow(rows.length, (focused) => indexOf(rows, focused));
  const made = places.flatMap((place) => {
    const row = rows[place.index];
    return row === undefined ? [] : [{ ...place, row }];
  });
  const focus = useFocusOnRow(rows, show);
  useInSight(selected, rows, show);
  // One row takes the focus of Tab; arrows go on from there. A row that is not made takes none.
  const tabbed = made.some(({ row }) => row.node.id === selected) ? selected : made[0]?.row.node.id;
  const keys = { rows, toggle, focus, onSelect };
  return (
    <>
      <div className={styles.filter}>
        <FilterField label={t("missions.filter")} value={words} testId="mission-filter" onChange={setWords} />
      </div>
      {rows.length === 0 && words.trim() !== "" && <Notice title={t("mission_graph.none_found")} />}
      <div
        ref={scroller}
        className={styles.tree}
        role="treegrid"
        aria-label={t("missions.list")}
        aria-rowcount={rows.length}
        data-testid="missions"
      >
        {made.map(({ row, index, gap_px }) => (
          <Fragment key={row.node.id}>
            {gap_px > 0 && <div role="presentation" style={{ height: gap_px }} />}
            <Row
              row={row}
              index={index + 1}
              isSelected={row.node.id === selected}
              isTabbed={row.node.id === tabbed}
              onToggle={() => toggle(row.node.id, !row.isOpen)}
              onSelect={() => onSelect(row.node.id)}
              onKeyDown={(event) => onTreeKey(event, row, keys)}
            />
          </Fragment>
        ))}
        <div role="presentation" style={{ height: after_px }} />
      </div>
    </>
  );
}

type TreeKeys = {
  rows: readonly TreeRow[];
  toggle: (id: string, open: boolean) => void;
  focus: (from: HTMLElement, index: number) => void;
  onSelect: (id: string) => void;
};

/** Goes along the rows, opens and closes them, and chooses one. */
function onTreeKey(event: KeyboardEvent<HTMLElement>, row: TreeRow, { rows, toggle, focus, onSelect }: TreeKeys) {
  const { node, depth, hasMore, isOpen } = row;
  const at = rows.indexOf(row);
  const go = (next: number) => focus(event.currentTarget, next);
  switch (event.key) {
    case "ArrowDown":
      go(at + 1);
      break;
    case "ArrowUp":
      go(at - 1);
      break;
    case "ArrowRight":
      if (hasMore && !isOpen) toggle(node.id, true);
      else if (hasMore) go(at + 1);
      break;
    case "ArrowLeft":
      if (hasMore && isOpen) toggle(node.id, false);
      else go(rows.findLastIndex((other, place) => place < at && other.depth < depth));
      break;
    case "Enter":
      onSelect(node.id);
      break;
    default:
      return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/** The rows that are open, or those with the words wanted; `toggle` opens or closes one. */
function useTreeRows(graph: MissionGraph, wanted: string) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  // A match may be below a mission that is closed.
  const all = treeOf(graph, wanted === "" ? closed : new Set());
  const rows =
    wanted === ""
      ? all
      : all
          .filter(({ node }) => `${node.title} ${node.id}`.toLowerCase().includes(wanted))
          .map((row) => ({ ...row, depth: 0, hasMore: false }));
  const toggle = (id: string, open: boolean) => {
    const next = new Set(closed);
    if (open) next.delete(id);
    else next.add(id);
    setClosed(next);
  };
  return { rows, toggle };
}

type RowProps = {
  row: TreeRow;
  /** Its place in the whole list, from 1. */
  index: number;
  isSelected: boolean;
  isTabbed: boolean;
  onToggle: () => void;
  onSelect: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
};

/** The deepest level that is drawn further to the right. */
const DEPTH_MAX = 5;

function Row({ row, index, isSelected, isTabbed, onToggle, onSelect, onKeyDown }: RowProps) {
  const { node, depth, isOpen, hasMore } = row;
  const { id, title, state, goal, errors } = node;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div
      role="row"
      className={styles.row}
      style={{ paddingInlineStart: `calc(${Math.min(depth, DEPTH_MAX)} * var(--space-3))` }}
      aria-rowindex={index}
      aria-level={depth + 1}
      aria-expanded={hasMore ? isOpen : undefined}
      aria-selected={isSelected}
      tabIndex={isTabbed ? 0 : -1}
      data-mission={id}
      data-testid={`mission-${id}`}
      onClick={onSelect}
      onKeyDown={onKeyDown}
    >
      <span role="gridcell" className={styles.name}>
        {hasMore ? (
          <button
            type="button"
            className={styles.chevron}
            tabIndex={-1}
            aria-label={t(isOpen ? "mission_graph.close" : "mission_graph.open", { title })}
            onClick={(event) => {
              event.stopPropagation();
              onToggle();
            }}
          >
            <Chevron aria-hidden="true" />
          </button>
        ) : (
          <span className={styles.chevron} />
        )}
        <MissionMark state={state} running={goal !== null} />
        <Link
          className={styles.title}
          href={`/missions/${id}`}
          // The list is a single tab stop; the row handles the keys.
          tabIndex={-1}
          title={`${id}: ${sentenceOf(node)}`}
          onClick={(event) => event.stopPropagation()}
        >
          {title}
        </Link>
      </span>
      <span role="gridcell" className={styles.stage} data-state={state}>
        {errors > 0 ? t("missions.errors", { count: errors }) : stageOf(node)}
      </span>
    </div>
  );
}

/** The row that an element is in. */
function indexOf(rows: readonly TreeRow[], element: Element): number {
  const id = element.closest("[data-mission]")?.getAttribute("data-mission");
  return rows.findIndex(({ node }) => node.id === id);
}

/** Scrolls once to the mission that is shown: the graph, a link or a key may have chosen one that is out of sight. */
function useInSight(selected: string | undefined, rows: readonly TreeRow[], show: RowWindow["show"]): void {
  const shown = useRef<string | undefined>(undefined);
  // Synchronises with the list, which has its rows and its height some time after the address names a mission.
  useEffect(() => {
    if (shown.current === selected) return;
    const at = rows.findIndex(({ node }) => node.id === selected);
    if (at !== -1 && show(at)) shown.current = selected;
  });
}

/** Gives the focus to a row by its place in the whole list, once it is made. */
function useFocusOnRow(rows: readonly TreeRow[], show: RowWindow["show"]) {
  const wanted = useRef<{ tree: Element; from: Element; id: string } | null>(null);
  const take = () => {
    if (wanted.current === null) return;
    const { tree, from, id } = wanted.current;
    const focused = document.activeElement;
    // Whoever has gone elsewhere meanwhile keeps the focus there.
    if (!from.contains(focused) && focused !== document.body) wanted.current = null;
    const row = tree.querySelector<HTMLElement>(`[data-mission="${CSS.escape(id)}"]`);
    if (row === null || wanted.current === null) return;
    wanted.current = null;
    row.focus();
  };
  // Synchronises with the rows that are made: the one that was gone to may be among them now.
  useEffect(take);
  return (from: HTMLElement, index: number) => {
    const tree = from.closest('[role="treegrid"]');
    const id = rows[index]?.node.id;
    if (tree === null || id === undefined) return;
    wanted.current = { tree, from, id };
    take();
    if (wanted.current !== null) show(index);
  };
}
