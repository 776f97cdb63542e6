import { Trash2, X } from "lucide-react";
import { Link } from "wouter";
import { Aged } from "../../../design/components/Aged";
import { IconButton } from "../../../design/components/IconButton";
import { Button } from "../../../design/components/Button";
import table from "../../../design/components/table.module.css";
import { NO_NUMBER } from "../../../design/format/numbers";
import { scalarText } from "../../../design/format/scalar";
import { shownAge } from "../../../design/format/shown-age";
import { t } from "../../../locales/i18n";
import { providerPath } from "../world-place";
import { dashOf } from "./dashes";
import styles from "./LineTable.module.css";
import { idOf, nameOf, type PlotField, predicateOf, unitOf } from "./plot-fields";
import { boundsOf, isAbove, type Lane, lineValueAt, type PlotLine, valueOf } from "./plot-lanes";

/** Ages below a minute are written as bounds, which stand still while samples come. */
const NEVER_OLD_MS = Number.MAX_SAFE_INTEGER;

type LineTableProps = {
  lanes: readonly Lane[];
  cursor_ms: number | null;
  onThreshold: (field: PlotField, value: number | null) => void;
  onRemove: (field: PlotField) => void;
};

/** The same lines as numbers, with what can be done with each. */
export function LineTable({ lanes, cursor_ms, onThreshold, onRemove }: LineTableProps) {
  const lines = lanes.flatMap((lane) => lane.lines.map((line) => ({ line, lane })));
  return (
    <div className={styles.scroll}>
      <table className={table.table} data-testid="plot-lines">
        <thead>
          <tr>
            <th scope="col">{t("plot.line")}</th>
            <th scope="col" className={table.number}>
              {cursor_ms === null ? t("plot.newest") : t("plot.at_cursor")}
            </th>
            <th scope="col" className={`${table.number} ${styles.range}`}>
              {t("plot.range")}
            </th>
            <th scope="col">{t("plot.threshold")}</th>
            <th scope="col" aria-label={t("plot.remove_column")} />
          </tr>
        </thead>
        <tbody>
          {lines
            .toSorted((a, b) => a.line.place - b.line.place)
            .map(({ line, lane }) => (
              <LineRow
                key={idOf(line.field)}
                line={line}
                lane={lane}
                cursor_ms={cursor_ms}
                onThreshold={(value) => onThreshold(line.field, value)}
                onRemove={() => onRemove(line.field)}
              />
            ))}
        </tbody>
      </table>
    </div>
  );
}

type LineRowProps = {
  line: PlotLine;
  lane: Lane;
  cursor_ms: number | null;
  onThreshold: (value: number | null) => void;
  onRemove: () => void;
};

function LineRow({ line, lane, cursor_ms, onThreshold, onRemove }: LineRowProps) {
  const { field, place, points } = line;
  const unit = unitOf(field);
  const bounds = boundsOf(points);
  return (
    <tr data-testid={`plot-line-${nameOf(field)}`}>
      <th scope="row" className={table.key}>
        <span className={styles.name}>
          <b>{place + 1}</b>
          <svg className={styles.sample} viewBox="0 0 32 8" aria-hidden="true">
            <path d="M0 4H32" strokeDasharray={dashOf(place)} />
          </svg>
          <span className={styles.text} title={nameOf(field)}>
            {field.kind === "world" ? field.key : field.path}
          </span>
        </span>
      </th>
      <td className={table.number}>
        {cursor_ms === null ? <NewestValue line={line} /> : scalarText(lineValueAt(line, cursor_ms), unit)}
      </td>
      <td className={`${table.number} ${table.muted} ${styles.range}`}>
        {bounds && t("plot.from_to", { min: scalarText(bounds.min, unit), max: scalarText(bounds.max, unit) })}
      </td>
      <td>
        <Threshold line={line} lane={lane} onThreshold={onThreshold} />
      </td>
      <td className={table.number}>
        <IconButton label={t("plot.remove", { name: nameOf(field) })} Icon={Trash2} onClick={onRemove} />
      </td>
    </tr>
  );
}

/** The newest value of a line with what its age says: a topic, which has no maximum age, always shows it. */
function NewestValue({ line: { field, points, newest } }: { line: PlotLine }) {
  const value = points.at(-1)?.value ?? null;
  if (value === null) return NO_NUMBER;
  return (
    <Aged
      state={newest.state}
      age={shownAge(newest.state, newest.age_ms, NEVER_OLD_MS)}
      age_ms={newest.age_ms}
      showAge={field.kind === "topic"}
    >
      {scalarText(value, unitOf(field))}
    </Aged>
  );
}

/** A threshold of a line is drawn first, and becomes a rule in the form of one. */
function Threshold({ line, lane, onThreshold }: Pick<LineRowProps, "line" | "lane" | "onThreshold">) {
  const { field, points, threshold } = line;
  if (field.kind === "topic") {
    return <Link href={providerPath("new", field.topic)}>{t("topics.make_provider")}</Link>;
  }
  if (threshold === null) {
    return (
      <Button
        look="quiet"
        size="row"
        aria-label={t("plot.set_threshold", { name: nameOf(field) })}
        onClick={() => onThreshold(valueOf(0.25, lane.extent))}
      >
        {t("plot.add_threshold")}
      </Button>
    );
  }
  const predicate = predicateOf(field, threshold, isAbove(points, threshold)) ?? "";
  return (
    <span className={styles.threshold}>
      <Link href={`/alarms/rules/new/${encodeURIComponent(predicate)}`} title={predicate} data-testid="plot-make-rule">
        {t("plot.make_rule")}
      </Link>
      <IconButton
        label={t("plot.clear_threshold", { name: nameOf(field) })}
        Icon={X}
        onClick={() => onThreshold(null)}
      />
    </span>
  );
}
