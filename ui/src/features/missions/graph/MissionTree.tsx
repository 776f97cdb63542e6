import { ChevronDown, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Link } from "wouter";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import { Notice } from "../../../design/components/Notice";
import { FilterField } from "../../../design/fields/FilterField";
import { t } from "../../../locales/i18n";
import { treeOf, type TreeRow } from "./graph-model";
import { MissionMark } from "./MissionMark";
import styles from "./MissionTree.module.css";
import { sentenceOf, stageOf } from "./node-words";

type MissionTreeProps = { graph: MissionGraph; selected: string | undefined; onSelect: (id: string) => void };

/** Missions below what they wait for: the graph for readers, fingers and keys (U-1016). */
export function MissionTree({ graph, selected, onSelect }: MissionTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [words, setWords] = useState("");
  const wanted = words.trim().toLowerCase();
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
  // One row takes the focus of Tab; arrows go on from there.
  const tabbed = rows.some(({ node }) => node.id === selected) ? selected : rows[0]?.node.id;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, row: TreeRow) => {
    const { node, depth, hasMore, isOpen } = row;
    const at = rows.indexOf(row);
    const go = (to: number) => focusRow(event.currentTarget, to);
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
  };
  return (
    <>
      <div className={styles.filter}>
        <FilterField label={t("missions.filter")} value={words} testId="mission-filter" onChange={setWords} />
      </div>
      {rows.length === 0 && wanted !== "" && <Notice title={t("mission_graph.none_found")} />}
      <div className={styles.tree} role="treegrid" aria-label={t("missions.list")} data-testid="missions">
        {rows.map((row) => (
          <Row
            key={row.node.id}
            row={row}
            isSelected={row.node.id === selected}
            isTabbed={row.node.id === tabbed}
            onToggle={() => toggle(row.node.id, !row.isOpen)}
            onSelect={() => onSelect(row.node.id)}
            onKeyDown={(event) => onKeyDown(event, row)}
          />
        ))}
      </div>
    </>
  );
}

type RowProps = {
  row: TreeRow;
  isSelected: boolean;
  isTabbed: boolean;
  onToggle: () => void;
  onSelect: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
};

/** The deepest level that is drawn further to the right. */
const DEPTH_MAX = 5;

function Row({ row: { node, depth, isOpen, hasMore }, isSelected, isTabbed, onToggle, onSelect, onKeyDown }: RowProps) {
  const { id, title, state, goal, errors } = node;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div
      role="row"
      className={styles.row}
      style={{ paddingInlineStart: `calc(${Math.min(depth, DEPTH_MAX)} * var(--space-3))` }}
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

function focusRow(from: HTMLElement, place: number): void {
  const rows = from.closest('[role="treegrid"]')?.querySelectorAll<HTMLElement>('[role="row"]');
  rows?.[place]?.focus();
}
