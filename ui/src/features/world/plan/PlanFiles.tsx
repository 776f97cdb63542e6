import { useId, useRef } from "react";
import { Map as MapIcon, Upload } from "lucide-react";
import type { SitePlan } from "../../../generated/bindings/SitePlan";
import { Button } from "../../../design/components/Button";
import forms from "../../../design/fields/forms.module.css";
import { t } from "../../../locales/i18n";
import styles from "./Plan.module.css";
import { PlacementForm } from "./PlacementForm";
import type { PlanImport } from "./usePlanImport";
import { useRobotMap } from "./useRobotMap";

type PlanFilesProps = {
  files: PlanImport;
  /** Robots that show a map, and the frame of the plan. */
  mapped: readonly string[];
  frame: string;
  /** The plan with the drawing that is being placed. */
  placed: SitePlan | null;
  refusal: string | null;
  onPlaced: (plan: SitePlan) => void;
};

/** Files that a plan is made from: chosen here or dropped on the scene. */
export function PlanFiles({ files, mapped, frame, placed, refusal, onPlaced }: PlanFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  const hint = useId();
  const { state } = files;
  return (
    <section className={styles.part} aria-label={t("site_plan.import")}>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept=".svg,.dxf,.yaml,.yml,.pgm,.json"
        data-testid="plan-file"
        onChange={(event) => {
          files.begin([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <Button
        data-testid="plan-import"
        aria-describedby={hint}
        disabled={refusal !== null || state.step === "reading"}
        title={refusal ?? undefined}
        onClick={() => input.current?.click()}
      >
        <Upload aria-hidden="true" /> {t("site_plan.choose")}
      </Button>
      <p id={hint} className={forms.hint}>
        {t("site_plan.kinds")}
      </p>
      <RobotMaps files={files} mapped={mapped} frame={frame} refusal={refusal} />
      <div role="status">
        {state.step === "failed" && (
          <p className={styles.fault} data-testid="plan-fault" data-code={state.code}>
            {t(`site_plan.fault.${state.code}`, { detail: state.detail })}
          </p>
        )}
        {state.step === "reading" && <span className="visually-hidden">{t("site_plan.reading")}</span>}
      </div>
      {state.step === "reading" && (
        <div className={forms.act}>
          <progress className={styles.progress} value={state.part} aria-label={t("site_plan.reading")} />
          <Button look="quiet" data-testid="plan-cancel" onClick={files.end}>
            {t("site_plan.cancel")}
          </Button>
        </div>
      )}
      {state.step === "placing" && (
        <PlacementForm
          placing={state}
          walls={placed?.walls ?? null}
          onTexts={files.place}
          onUse={() => {
            if (placed) onPlaced(placed);
            files.end();
          }}
          onCancel={files.end}
        />
      )}
    </section>
  );
}

/** The maps of robots, each of which walls can be taken from. */
function RobotMaps({ files, mapped, frame, refusal }: Pick<PlanFilesProps, "files" | "mapped" | "frame" | "refusal">) {
  const mapOf = useRobotMap(frame);
  return mapped.map((robot) => (
    <Button
      key={robot}
      look="quiet"
      data-testid={`plan-map-${robot}`}
      disabled={refusal !== null || files.state.step === "reading"}
      title={refusal ?? undefined}
      onClick={() => files.beginWith((signal) => mapOf(robot, signal))}
    >
      <MapIcon aria-hidden="true" /> {t("site_plan.of_robot", { robot })}
    </Button>
  ));
}
