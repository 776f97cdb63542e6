import type { SitePlan } from "../../../generated/bindings/SitePlan";
import { Button } from "../../../design/components/Button";
import { parseDecimal } from "../../../design/fields/decimal";
import forms from "../../../design/fields/forms.module.css";
import { NumberField } from "../../../design/fields/NumberField";
import { formatNumber } from "../../../design/format/numbers";
import { t } from "../../../locales/i18n";
import type { Placement } from "./import/place-plan";
import { boundsOf } from "../../../domain/scene/flat/scene-plan";
import styles from "./Plan.module.css";
import { placementOf, type PlacementTexts, type Placing } from "./placing";

type PlacementFormProps = {
  placing: Placing;
  /** The walls where they would be; null while that is not known, or if they lie outside of any site. */
  walls: SitePlan["walls"] | null;
  onTexts: (texts: PlacementTexts) => void;
  onUse: () => void;
  onCancel: () => void;
};

/** Names of areas in the sentence that counts them. */
const NAMES_SHOWN = 6;

const FIELDS = [
  { key: "metres_per_unit", unit: "m", step: 0.001 },
  { key: "x_m", unit: "m", step: 0.1 },
  { key: "y_m", unit: "m", step: 0.1 },
  { key: "turn_deg", unit: "°", step: 1 },
] as const;

/** The size and the place of a drawing; a map of a robot says both itself. The preview is the scene. */
export function PlacementForm({ placing, walls, onTexts, onUse, onCancel }: PlacementFormProps) {
  const { file, texts } = placing;
  return (
    <form
      className={styles.part}
      data-testid="plan-placement"
      onSubmit={(event) => {
        event.preventDefault();
        if (walls) onUse();
      }}
    >
      <p>{t("site_plan.found", { count: file.lines.length })}</p>
      {file.areas.length > 0 && (
        <p data-testid="plan-areas-found">
          {t("site_plan.areas_found", { count: file.areas.length, names: namesText(file.areas) })}
        </p>
      )}
      {file.dropped > 0 && <p className={forms.hint}>{t("site_plan.dropped", { count: file.dropped })}</p>}
      {!file.placed && (
        <div className={forms.row}>
          {FIELDS.map(({ key, unit, step }) => (
            <NumberField
              key={key}
              field={{ label: t(`site_plan.${key}`), unit, step }}
              text={texts[key]}
              problem={problemOf(key, texts[key])}
              onText={(text) => onTexts({ ...texts, [key]: text })}
            />
          ))}
        </div>
      )}
      <p className={forms.hint} data-testid="plan-size">
        {placementOf(texts) === null ? t("site_plan.no_scale") : walls ? sizeText(walls) : t("site_plan.too_far")}
      </p>
      <div className={forms.act}>
        <Button type="submit" data-testid="plan-use" disabled={!walls}>
          {t("site_plan.use_walls")}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {t("site_plan.cancel")}
        </Button>
      </div>
    </form>
  );
}

function problemOf(key: keyof Placement, text: string): string | null {
  const decimal = parseDecimal(text);
  if (text === "" && key === "metres_per_unit") return null;
  if (!("value" in decimal)) return t(`field_problem.${decimal.problem}`);
  return key === "metres_per_unit" && decimal.value <= 0 ? t("site_plan.not_positive") : null;
}

/** The first names of some areas. */
function namesText(areas: Placing["file"]["areas"]): string {
  const names = areas.slice(0, NAMES_SHOWN).map(({ name }) => name);
  return [...names, ...(areas.length > NAMES_SHOWN ? ["…"] : [])].join(", ");
}

function sizeText(walls: SitePlan["walls"]): string {
  const { low, high } = boundsOf(walls);
  return t("site_plan.size", { width: formatNumber(high[0] - low[0], 1), depth: formatNumber(high[1] - low[1], 1) });
}
