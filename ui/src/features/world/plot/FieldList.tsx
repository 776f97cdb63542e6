import { SetUpRobots } from "../../../domain/robot/SetUpRobots";
import { Minus, Plus } from "lucide-react";
import { useState } from "react";
import { FilterField } from "../../../design/fields/FilterField";
import { Panel } from "../../../design/layout/Panel";
import { t } from "../../../locales/i18n";
import { FIELD_TYPE } from "./field-type";
import { foundFields, idOf, nameOf, type PlotField } from "./plot-fields";
import { FIELDS_MAX } from "./plot-memory";
import styles from "./FieldList.module.css";

/** More than anybody reads; the filter finds the rest. */
const SHOWN_MAX = 200;

type FieldListProps = {
  fields: readonly PlotField[];
  plotted: readonly PlotField[];
  onToggle: (field: PlotField) => void;
};

/** Every number there is: dragged onto the plot, or put there and taken off by a press. */
export function FieldList({ fields, plotted, onToggle }: FieldListProps) {
  const [filter, setFilter] = useState("");
  const found = foundFields(fields, filter);
  const shown = found.slice(0, SHOWN_MAX);
  const full = plotted.length >= FIELDS_MAX;
  return (
    <Panel title={t("plot.fields")} aside={t("plot.found", { count: found.length })}>
      <div className={styles.filter}>
        <FilterField label={t("plot.filter")} value={filter} testId="plot-filter" onChange={setFilter} />
      </div>
      {fields.length === 0 && (
        <div className={styles.more}>
          <p>{t("plot.no_fields")}</p>
          <SetUpRobots />
        </div>
      )}
      <ul className={styles.fields}>
        {shown.map((field) => {
          const isPlotted = plotted.some((other) => idOf(other) === idOf(field));
          return (
            <li key={idOf(field)}>
              <button
                type="button"
                className={styles.field}
                draggable
                aria-pressed={isPlotted}
                disabled={full && !isPlotted}
                title={full && !isPlotted ? t("plot.full", { count: FIELDS_MAX }) : t("plot.drag")}
                onDragStart={(event) => event.dataTransfer.setData(FIELD_TYPE, idOf(field))}
                onClick={() => onToggle(field)}
              >
                {isPlotted ? <Minus aria-hidden="true" /> : <Plus aria-hidden="true" />}
                <FieldName field={field} />
              </button>
            </li>
          );
        })}
      </ul>
      {found.length > shown.length && <p className={styles.more}>{t("plot.more", { count: SHOWN_MAX })}</p>}
    </Panel>
  );
}

/** A field's name; the topic of one that is no entry of the world stands below it. */
function FieldName({ field }: { field: PlotField }) {
  if (field.kind === "world") return <code>{nameOf(field)}</code>;
  return (
    <span className={styles.name}>
      <code>{field.path}</code>
      <code className={styles.topic}>{field.topic}</code>
    </span>
  );
}
