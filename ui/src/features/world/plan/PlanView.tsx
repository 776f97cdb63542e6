import { Download, Eraser } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import type { SitePlan } from "../../../generated/bindings/SitePlan";
import type { SitePlanRow } from "../../../generated/bindings/SitePlanRow";
import { Button } from "../../../design/components/Button";
import { DropHint } from "../../../design/components/DropHint";
import { Refusal } from "../../../design/components/Refusal";
import { Rows } from "../../../design/components/Rows";
import { useFileDrop } from "../../../design/components/useFileDrop";
import forms from "../../../design/fields/forms.module.css";
import { formatWhen } from "../../../design/format/time";
import { Panel } from "../../../design/layout/Panel";
import { AnyScene } from "../../../domain/scene/AnyScene";
import { commonFrame } from "../../../domain/scene/flat/scene-model";
import { useSceneModel } from "../../../domain/scene/flat/useSceneModel";
import { type SceneView, ViewChoice } from "../../../domain/scene/ViewChoice";
import { useCommandRefusal } from "../../../domain/station/useCommandRefusal";
import { useRows } from "../../../domain/station/useRows";
import { saveFile } from "../../../host/save-file";
import { t } from "../../../locales/i18n";
import styles from "./Plan.module.css";
import { PlanAreas } from "./PlanAreas";
import { withDrawing } from "./placing";
import { PlanFiles } from "./PlanFiles";
import { useAreaDraft } from "./useAreaDraft";
import { type PlanDraft, usePlanDraft } from "./usePlanDraft";
import { usePlanImport } from "./usePlanImport";

/** The site plan: seen in the scene, made from files or by hand, saved for every window. */
export function PlanView() {
  const robots = useRows("robots", "list_robots", {});
  const saved = useRows("site_plan", "get_site_plan", {});
  return (
    <Rows query={robots} what={t("overview.robots")}>
      {({ rows }) => (
        <Rows query={saved} what={t("site_plan.title")}>
          {(plan) => <PlanDesk robots={rows} saved={plan.rows} />}
        </Rows>
      )}
    </Rows>
  );
}

function PlanDesk({ robots, saved }: { robots: readonly RobotRow[]; saved: SitePlanRow }) {
  const refusal = useCommandRefusal();
  const draft = usePlanDraft(saved);
  // A plan begins in the frame of the site.
  const plan = isEmpty(draft.plan) ? { ...draft.plan, frame: commonFrame(robots) } : draft.plan;
  const files = usePlanImport(draft.change);
  const area = useAreaDraft(plan.frame);
  const [view, setView] = useState<SceneView>("top");
  const placed = files.state.step === "placing" ? withDrawing(plan, files.state) : null;
  // A drawing is seen where it would lie before it is used.
  const seen = placed ?? plan;
  const model = { ...useSceneModel(robots, [], seen), outline: area.open?.outline ?? [] };
  const drop = useFileDrop(refusal === null ? files.begin : null);
  return (
    <div className={styles.desk}>
      <div className={styles.left} data-over={drop.over} data-testid="plan-drop" {...drop.handlers}>
        <Panel
          title={t("site_plan.title")}
          aside={
            <>
              <span data-testid="plan-state">{stateText(draft, saved)}</span>
              <ViewChoice view={view} onView={setView} />
            </>
          }
        >
          <div className={styles.scene}>
            <AnyScene
              model={model}
              view={view}
              focus={null}
              edit={view === "top" ? (area.open?.edit ?? null) : null}
              onView={setView}
            />
          </div>
        </Panel>
        {drop.over && <DropHint text={t("site_plan.drop")} />}
      </div>
      <aside className={styles.side} aria-label={t("site_plan.edit")}>
        {model.frame !== plan.frame && (
          <p role="status">{t("site_plan.other_frame", { plan: plan.frame, scene: model.frame })}</p>
        )}
        <p className={styles.part}>
          {t("site_plan.binds_nothing")} <Link href="/safety">{t("site_plan.limits")}</Link>
        </p>
        <PlanFiles
          files={files}
          mapped={robots.flatMap(({ id, has_map = false }) => (has_map ? [id] : []))}
          frame={plan.frame}
          placed={placed}
          refusal={refusal}
          onPlaced={draft.change}
        />
        <PlanAreas
          areas={plan.areas}
          form={area}
          refusal={refusal}
          onAreas={(areas) => draft.change({ ...plan, areas })}
        />
        <Acts draft={draft} refusal={refusal} />
      </aside>
    </div>
  );
}

function isEmpty({ walls, areas }: SitePlan): boolean {
  return walls.length + areas.length === 0;
}

/** Saving comes last, so that whatever is saved has been on the scene. */
function Acts({ draft, refusal }: { draft: PlanDraft; refusal: string | null }) {
  const { plan, changed, overtaken } = draft;
  const empty = isEmpty(plan);
  return (
    <div className={styles.acts}>
      {overtaken && <p role="status">{t("site_plan.overtaken")}</p>}
      <Refusal error={draft.error} />
      <div className={forms.act}>
        <Button
          look="primary"
          size="large"
          data-testid="plan-save"
          disabled={!changed || overtaken || draft.pending || refusal !== null}
          onClick={draft.save}
        >
          {draft.pending ? t("hold.sending") : t("site_plan.save")}
        </Button>
        {changed && (
          <Button look="quiet" size="large" data-testid="plan-discard" onClick={draft.discard}>
            {t(overtaken ? "site_plan.show_newest" : "site_plan.discard")}
          </Button>
        )}
        <span className={forms.hint}>{refusal ?? (changed ? t("site_plan.not_saved") : "")}</span>
      </div>
      <div className={forms.act}>
        <Button
          look="quiet"
          data-testid="plan-export"
          disabled={empty}
          onClick={() => saveFile("site-plan.json", JSON.stringify(plan))}
        >
          <Download aria-hidden="true" /> {t("site_plan.export")}
        </Button>
        <Button
          look="quiet"
          data-testid="plan-clear"
          disabled={empty || refusal !== null}
          onClick={() => draft.change({ ...plan, walls: [], areas: [] })}
        >
          <Eraser aria-hidden="true" /> {t("site_plan.clear")}
        </Button>
      </div>
    </div>
  );
}

function stateText({ plan, changed }: PlanDraft, { origin, saved_by, saved_at_ms }: SitePlanRow): string {
  const counts = `${t("site_plan.walls", { count: plan.walls.length })}, ${t("site_plan.areas_count", { count: plan.areas.length })}`;
  if (changed) return `${counts}, ${t("site_plan.not_saved")}`;
  switch (origin) {
    case "none":
      return t("site_plan.none");
    case "simulator":
      return `${counts}, ${t("site_plan.of_simulator")}`;
    case "saved":
      return `${counts}, ${t("site_plan.saved_by", { who: saved_by, when: formatWhen(saved_at_ms ?? 0) })}`;
  }
}
