import { useRef, useState } from "react";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { Supervision } from "../../generated/bindings/Supervision";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import forms from "../../design/fields/forms.module.css";
import { ReasonForm } from "../../design/fields/ReasonForm";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./StateSection.module.css";

/** Permission of the robot to move unattended. An Admin changes it for this run, with a reason. */
export function SupervisionSection({ robot }: { robot: RobotRow }) {
  const supervision = useLive((store) => store.safety.get(robot.id)?.supervision ?? null);
  const word = useRef<HTMLParagraphElement>(null);
  // Before the first report a form would change what nobody knows.
  if (supervision === null) return null;
  return (
    <Panel title={t("supervision.title", { robot: robot.id })}>
      <p
        ref={word}
        tabIndex={-1}
        className={styles.line}
        role="status"
        data-testid="supervision"
        data-supervision={supervision}
      >
        <strong>{t(`supervision.${supervision}`)}</strong> <span>{t(`supervision.means_${supervision}`)}</span>
      </p>
      {/* Once the station has answered the other way, the form for it is another one. */}
      <ChangeSupervision
        key={supervision}
        robot={robot.id}
        to={supervision === "required" ? "unattended" : "required"}
        onGone={() => word.current?.focus()}
      />
    </Panel>
  );
}

function ChangeSupervision({ robot, to, onGone }: { robot: string; to: Supervision; onGone: () => void }) {
  const [open, setOpen] = useState(false);
  const change = useOperation("set_supervision");
  const refusal = useAdminRefusal();
  return (
    <div className={styles.line}>
      <p className={forms.act}>
        <Button
          data-testid="set-supervision"
          aria-expanded={open}
          disabled={refusal !== null && !open}
          onClick={() => setOpen(!open)}
        >
          {t(open ? "safety.cancel" : `supervision.change_${to}`)}
        </Button>
        <span className={forms.hint}>{refusal}</span>
      </p>
      {open && (
        <ReasonForm
          label={t("supervision.why")}
          act={t(`supervision.do_${to}`)}
          testId="supervision-form"
          refusal={refusal}
          call={change}
          onSubmit={(reason) => change.run({ robot, supervision: to, reason })}
          onGone={onGone}
        />
      )}
    </div>
  );
}
