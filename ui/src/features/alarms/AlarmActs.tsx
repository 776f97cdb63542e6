import { useRef } from "react";
import { suggest } from "../../domain/agent/draft";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { isUnacknowledged } from "../../domain/alarm/alarm-state";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { ReasonForm } from "../../design/fields/ReasonForm";
import { useFocusBack } from "../../design/fields/useFocusBack";
import { useStation } from "../../domain/station/station-context";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { type OperationCall, useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { AcknowledgeButton } from "./AcknowledgeButton";
import styles from "./AlarmActs.module.css";
import { ShelveForm } from "./ShelveForm";

/** A form that is open under the acts: for the act that it was opened for, whatever the alarm becomes meanwhile. */
export type OpenAct = "shelve" | "out_of_service" | "into_service";

type AlarmActsProps = {
  alarm: AlarmRow;
  open: OpenAct | null;
  onOpen: (act: OpenAct | null) => void;
  onGone: () => void;
};

/** Actions on an alarm in its state. The station decides each; its refusal stands beside the action. */
export function AlarmActs({ alarm, open, onOpen, onGone }: AlarmActsProps) {
  const { store } = useStation();
  const unshelve = useOperation("unshelve_alarm");
  const reset = useOperation("reset_alarm");
  const commands = useCommandRefusal();
  const admin = useAdminRefusal();
  const hidden = alarm.flags.never_hidden ? t("alarms.never_hidden") : null;
  const in_service = alarm.out_of_service !== null;
  const service = in_service ? "into_service" : "out_of_service";
  const toggle = (act: OpenAct) => onOpen(open === act ? null : act);
  const ask = () => suggest(store, t("alarms.ask_text", { message: alarm.message }));
  return (
    <>
      <div className={styles.acts}>
        {isUnacknowledged(alarm.state) && (
          <AcknowledgeButton
            alarms={[alarm]}
            label={t("alarms.acknowledge")}
            testId="acknowledge-alarm"
            onGone={onGone}
          />
        )}
        {alarm.state === "latched" && (
          <Act
            call={reset}
            refusal={commands}
            label={t("alarms.reset")}
            testId="reset-alarm"
            onAct={() => reset.run({ id: alarm.id })}
            onGone={onGone}
          />
        )}
        {alarm.shelved ? (
          <Act
            call={unshelve}
            refusal={commands}
            label={t("alarms.unshelve")}
            testId="unshelve-alarm"
            onAct={() => unshelve.run({ id: alarm.id })}
            onGone={onGone}
          />
        ) : (
          <Button
            data-testid="shelve-alarm"
            aria-expanded={open === "shelve"}
            disabled={hidden !== null || commands !== null}
            title={hidden ?? commands ?? undefined}
            onClick={() => toggle("shelve")}
          >
            {t("alarms.shelve")}
          </Button>
        )}
        <Button
          data-testid="alarm-service"
          aria-expanded={open === service}
          disabled={admin !== null || (hidden !== null && !in_service)}
          title={admin ?? hidden ?? undefined}
          onClick={() => toggle(service)}
        >
          {t(`alarms.${service}`)}
        </Button>
        <Button data-testid="ask-why" onClick={ask}>
          {t("alarms.ask")}
        </Button>
        {hidden !== null && <span className={styles.hint}>{hidden}</span>}
      </div>
      <OpenForm alarm={alarm} open={open} onDone={() => onOpen(null)} onGone={onGone} />
    </>
  );
}

type OpenFormProps = { alarm: AlarmRow; open: OpenAct | null; onDone: () => void; onGone: () => void };

/** The form of the act that is open; none once somebody else has done it. */
function OpenForm({ alarm, open, onDone, onGone }: OpenFormProps) {
  const service = useOperation("set_alarm_service");
  const commands = useCommandRefusal();
  const admin = useAdminRefusal();
  const in_service = open === "into_service";
  const hidden = alarm.flags.never_hidden ? t("alarms.never_hidden") : null;
  return (
    <>
      {open === "shelve" && !alarm.shelved && (
        <ShelveForm alarm={alarm} refusal={hidden ?? commands} onDone={onDone} onGone={onGone} />
      )}
      {open !== null && open !== "shelve" && in_service === (alarm.out_of_service !== null) && (
        <ReasonForm
          key={open}
          label={t(in_service ? "alarms.why_in" : "alarms.why_out")}
          act={t(in_service ? "alarms.do_in" : "alarms.do_out")}
          testId="alarm-service"
          refusal={admin}
          call={service}
          onSubmit={(reason) => service.run({ id: alarm.id, in_service, reason }, onDone)}
          onGone={onGone}
        />
      )}
    </>
  );
}

type ActProps<Name extends "unshelve_alarm" | "reset_alarm"> = {
  call: OperationCall<Name>;
  refusal: string | null;
  label: string;
  testId: string;
  onAct: () => void;
  onGone: () => void;
};

function Act<Name extends "unshelve_alarm" | "reset_alarm">(props: ActProps<Name>) {
  const { call, refusal, label, testId, onAct, onGone } = props;
  const part = useRef<HTMLSpanElement>(null);
  useFocusBack(part, onGone);
  return (
    <span ref={part} className={styles.act}>
      <Button
        data-testid={testId}
        disabled={refusal !== null || call.pending}
        title={refusal ?? undefined}
        onClick={onAct}
      >
        {call.pending ? t("hold.sending") : label}
      </Button>
      <Refusal error={call.error} />
    </span>
  );
}
