import { useState } from "react";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Refusal } from "../../design/components/Refusal";
import { SelectField } from "../../design/fields/SelectField";
import { SubmitRow } from "../../design/fields/SubmitRow";
import { TextField } from "../../design/fields/TextField";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import type { DrawnZone } from "../../domain/scene/flat/drawn-zone";
import { t } from "../../locales/i18n";
import { CurrentPose } from "./CurrentPose";
import { DraftScene } from "./DraftScene";
import { FormPanel } from "../../design/fields/FormPanel";
import styles from "../../design/fields/forms.module.css";
import { draftOf, emptyDraft, fieldAt } from "./limit-draft";
import { hasJoint, hasPlace, KINDS, kindText, paramsOf, wireTypeOf } from "./limit-kinds";
import { LimitFields } from "./LimitFields";
import { pathOf, refusalText } from "../../design/fields/refusal";
import { UndoEdit } from "./UndoEdit";
import { type LimitDraft, useLimitDraft } from "./useLimitDraft";

type AddFormProps = {
  robot: RobotRow;
  /** A zone that was drawn on a scene. */
  drawn: DrawnZone | null;
  onClose: () => void;
  onDone: (message: string) => void;
};

/** Writes a new limit for one robot. Adding one only ever tightens the set. */
export function AddForm({ robot, drawn, onClose, onDone }: AddFormProps) {
  const add = useOperation("register_constraint");
  const form = useLimitDraft(() => (drawn ? draftOf(drawn.limit) : emptyDraft("workspace")), add.forget);
  const [frame, setFrame] = useState(drawn?.frame ?? robot.default_frame);
  const [reason, setReason] = useState("");
  const refusal = useAdminRefusal();
  const { kind } = form.draft;
  const placed = hasPlace(kind);
  const path = pathOf(add.error);
  const named = (field: string) => (path === field ? (add.error ? refusalText(add.error) : null) : null);
  const shownAtField =
    path === "frame" || path === "reason" || path === "params_json.joint" || fieldAt(kind, path) !== null;

  const submit = () => {
    const limit = form.attempt();
    if (!limit || refusal !== null) return;
    const said = reason.trim();
    add.run(
      {
        robot: robot.id,
        constraint_type: wireTypeOf(kind),
        params_json: JSON.stringify(paramsOf(limit)),
        ...(placed ? { frame } : {}),
        ...(said === "" ? {} : { reason: said }),
      },
      () => onDone(t("limit_form.added")),
    );
  };

  return (
    <FormPanel title={t("limit_form.add", { robot: robot.id })} onSubmit={submit} onClose={onClose}>
      <div className={styles.columns}>
        <div className={styles.column}>
          <KindFields form={form} robot={robot} frame={frame} named={named} onFrame={setFrame} />
          {placed && <CurrentPose robot={robot} kind={kind} frame={frame} onLimit={form.setLimit} />}
          <LimitFields form={form} error={add.error} />
          <UndoEdit form={form} />
          <TextField
            label={t("limit_form.reason_optional")}
            value={reason}
            problem={named("reason")}
            onChange={setReason}
            testId="limit-reason"
          />
          <SubmitRow
            act={t("limit_form.do_add")}
            pending={add.pending}
            disabled={refusal !== null}
            hint={refusal ?? t("limit_form.at_once")}
            testId="limit-submit"
          />
          {!shownAtField && <Refusal error={add.error} />}
        </div>
        {placed && (
          <DraftScene robot={robot} limit={form.reading.limit} frame={frame} edits={{ kind, onLimit: form.setLimit }} />
        )}
      </div>
    </FormPanel>
  );
}

type KindFieldsProps = {
  form: LimitDraft;
  robot: RobotRow;
  frame: string;
  named: (field: string) => string | null;
  onFrame: (frame: string) => void;
};

/** The kind of the limit, and the joint or the frame that it is about. */
function KindFields({ form, robot, frame, named, onFrame }: KindFieldsProps) {
  const { kind } = form.draft;
  const frames = robot.frames.map((id) => ({
    value: id,
    text: id === robot.default_frame ? t("limit_form.frame_default", { frame: id }) : id,
  }));
  return (
    <div className={styles.row}>
      <SelectField
        label={t("limit_form.kind")}
        value={kind}
        options={KINDS.map((value) => ({ value, text: kindText(value) }))}
        problem={null}
        onChange={form.setKind}
      />
      {hasJoint(kind) && (
        <TextField
          label={t("limit_form.joint")}
          value={form.draft.actuator}
          problem={named("params_json.joint")}
          onChange={form.setActuator}
          testId="limit-joint"
        />
      )}
      {hasPlace(kind) && (
        <SelectField
          label={t("limit_form.frame")}
          value={frame}
          options={frames}
          problem={named("frame")}
          onChange={onFrame}
        />
      )}
    </div>
  );
}
