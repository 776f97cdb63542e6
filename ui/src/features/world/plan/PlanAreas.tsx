import { Pencil, Trash2 } from "lucide-react";
import type { PlanArea } from "../../../generated/bindings/PlanArea";
import { Button } from "../../../design/components/Button";
import { IconButton } from "../../../design/components/IconButton";
import forms from "../../../design/fields/forms.module.css";
import { TextField } from "../../../design/fields/TextField";
import { CodeField } from "../../../design/fields/CodeField";
import { formatNumber } from "../../../design/format/numbers";
import { t } from "../../../locales/i18n";
import { cornersProblem, nameProblem, parseCorners } from "./area-draft";
import { boundsOf } from "../../../domain/scene/flat/scene-plan";
import styles from "./Plan.module.css";
import type { AreaDraft, AreaForm } from "./useAreaDraft";

type PlanAreasProps = {
  areas: readonly PlanArea[];
  form: AreaForm;
  refusal: string | null;
  onAreas: (areas: PlanArea[]) => void;
};

/** Named areas of a plan: the list, and the form of one. */
export function PlanAreas({ areas, form, refusal, onAreas }: PlanAreasProps) {
  const { open } = form;
  const closed = refusal !== null || open !== null;
  return (
    <section className={styles.part} aria-label={t("site_plan.areas")}>
      <div className={styles.head}>
        <h3 className={styles.title}>{t("site_plan.areas")}</h3>
        <Button
          size="row"
          data-testid="area-add"
          disabled={closed}
          title={refusal ?? undefined}
          onClick={() => form.begin(null)}
        >
          {t("site_plan.add_area")}
        </Button>
      </div>
      {open && (
        <OneArea
          draft={open}
          others={areas.filter(({ name }) => name !== open.edits)}
          onCancel={form.end}
          onDone={(area) => {
            onAreas(withArea(areas, open.edits, area));
            form.end();
          }}
        />
      )}
      {areas.length === 0 && !open && <p className={forms.hint}>{t("site_plan.no_areas")}</p>}
      <ul className={styles.areas}>
        {areas.map((area) => (
          <li key={area.name} className={styles.area} data-testid={`area-${area.name}`}>
            <span className={styles.name}>{area.name}</span>
            <span className={styles.size}>{sizeOf(area)}</span>
            <IconButton
              label={t("site_plan.edit_area", { area: area.name })}
              Icon={Pencil}
              disabled={closed}
              onClick={() => form.begin(area)}
            />
            <IconButton
              label={t("site_plan.remove_area", { area: area.name })}
              Icon={Trash2}
              disabled={closed}
              onClick={() => onAreas(areas.filter((one) => one !== area))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

type OneAreaProps = {
  draft: AreaDraft;
  others: readonly PlanArea[];
  onCancel: () => void;
  onDone: (area: PlanArea) => void;
};

/** A name, and corners that are written or drawn. */
function OneArea({ draft, others, onCancel, onDone }: OneAreaProps) {
  const untouched = draft.name === "" && draft.corners === "";
  const name = nameProblem(draft.name, others);
  const corners = cornersProblem(draft.corners);
  return (
    <form
      className={styles.part}
      data-testid="area-form"
      onSubmit={(event) => {
        event.preventDefault();
        const points = parseCorners(draft.corners);
        if (name === null && corners === null && points) onDone({ name: draft.name.trim(), corners: points });
      }}
    >
      <TextField
        label={t("site_plan.area_name")}
        value={draft.name}
        problem={untouched ? null : name}
        testId="area-name"
        onChange={draft.setName}
      />
      <CodeField
        label={t("site_plan.corners")}
        value={draft.corners}
        problem={untouched || corners === null ? null : { message: corners, column: null }}
        rows={5}
        lines
        example={"5.0 3.0\n8.0 3.0\n8.0 6.0"}
        testId="area-corners"
        onChange={draft.setCorners}
      />
      <p className={forms.hint}>{t("site_plan.draw_hint")}</p>
      <div className={forms.act}>
        <Button type="submit" data-testid="area-done" disabled={name !== null || corners !== null}>
          {t(draft.edits === null ? "site_plan.add_area" : "site_plan.change_area")}
        </Button>
        <Button look="quiet" data-testid="area-cancel" onClick={onCancel}>
          {t("site_plan.cancel")}
        </Button>
      </div>
    </form>
  );
}

/** The areas with one that is new or takes the place of `edits`, which somebody else may have removed meanwhile. */
function withArea(areas: readonly PlanArea[], edits: string | null, area: PlanArea): PlanArea[] {
  const isKnown = areas.some(({ name }) => name === edits);
  return isKnown ? areas.map((one) => (one.name === edits ? area : one)) : [...areas, area];
}

function sizeOf({ corners }: PlanArea): string {
  const { low, high } = boundsOf([corners]);
  return t("site_plan.size", { width: formatNumber(high[0] - low[0], 1), depth: formatNumber(high[1] - low[1], 1) });
}
