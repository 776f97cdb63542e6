import { useId, useState } from "react";
import type { CauseRow } from "../../generated/bindings/CauseRow";
import { type CauseAct, causeAct } from "../../domain/stop/cause-act";
import { causeSentence } from "../../domain/stop/cause-sentences";
import { Button } from "../../design/components/Button";
import table from "../../design/components/table.module.css";
import { formatAge } from "../../design/format/time";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import type { SafetyCause } from "../../generated/bindings/SafetyCause";
import { ReasonForm } from "../../design/fields/ReasonForm";
import { useOperation } from "../../domain/station/useOperation";
import styles from "./CauseTable.module.css";
import { LookedForm } from "./LookedForm";

type CauseLineProps = { robot: string; cause: CauseRow; /** It has ended. */ gone: boolean; onGone: () => void };

/** One cause. Its act is closed, with the reason, while the condition still holds. */
export function CauseLine({ robot, cause, gone, onGone }: CauseLineProps) {
  const [open, setOpen] = useState(false);
  const since = useLive(({ time }) =>
    time.now_ms === null ? "" : formatAge(Math.floor((time.now_ms - cause.since_mono_ms) / 1_000) * 1_000),
  );
  const commands = useCommandRefusal();
  const act = causeAct(cause.clears);
  const refusal = commands ?? (cause.present ? t("causes.still_holds") : null);
  return (
    <>
      <tr data-testid={`cause-${cause.cause}`} inert={gone} data-present={cause.present}>
        <th scope="row" className={`${table.wrap} ${styles.cause}`}>
          {t(`cause.${cause.cause}`)}
          <small>{causeSentence(cause)}</small>
        </th>
        <td>
          {since}
          <small className={cause.present ? styles.present : undefined}>
            {t(cause.present ? "causes.holds" : "causes.over")}
          </small>
        </td>
        <td className={`${table.wrap} ${styles.ends}`}>
          <div className={styles.end}>
            <span className={styles.words}>{t(`clears.${cause.clears}`)}</span>
            {act !== null && <Act cause={cause} act={act} open={open} refusal={refusal} onOpen={setOpen} />}
          </div>
        </td>
      </tr>
      {/* The row stays in its place under the hand; its form would act on a cause that is over. */}
      {act !== null && open && !gone && (
        <tr>
          <td colSpan={3} className={styles.form}>
            {act === "acknowledge" ? (
              <AcknowledgeForm robot={robot} cause={cause.cause} refusal={refusal} onGone={onGone} />
            ) : (
              <LookedForm robot={robot} refusal={refusal} onGone={onGone} />
            )}
          </td>
        </tr>
      )}
    </>
  );
}

type ActProps = {
  cause: CauseRow;
  act: CauseAct;
  open: boolean;
  refusal: string | null;
  onOpen: (open: boolean) => void;
};

function Act({ cause, act, open, refusal, onOpen }: ActProps) {
  const why = useId();
  const name = t(`cause.${cause.cause}`);
  return (
    <span className={styles.act}>
      <Button
        data-testid={`${act}-${cause.cause}`}
        aria-label={t(open ? "causes.cancel_name" : `causes.${act}_name`, { cause: name })}
        aria-expanded={open}
        aria-describedby={refusal === null ? undefined : why}
        // An open form can always be closed, whatever the station would refuse.
        disabled={refusal !== null && !open}
        onClick={() => onOpen(!open)}
      >
        {t(open ? "safety.cancel" : `causes.${act}`)}
      </Button>
      {refusal !== null && (
        <small id={why} className={styles.why}>
          {refusal}
        </small>
      )}
    </span>
  );
}

type AcknowledgeFormProps = { robot: string; cause: SafetyCause; refusal: string | null; onGone: () => void };

/** Names a cause that is over, and says why it is. */
function AcknowledgeForm({ robot, cause, refusal, onGone }: AcknowledgeFormProps) {
  const acknowledge = useOperation("acknowledge_cause");
  return (
    <ReasonForm
      label={t("causes.why_over")}
      act={t("causes.do_acknowledge")}
      testId={`acknowledge-form-${cause}`}
      refusal={refusal}
      call={acknowledge}
      onSubmit={(reason) => acknowledge.run({ robot, cause, reason })}
      onGone={onGone}
    />
  );
}
