import { Check, Circle } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { suggest } from "../../domain/agent/draft";
import { useStation } from "../../domain/station/station-context";
import { useLive } from "../../domain/station/useLive";
import { useRecords } from "../../domain/station/useRecords";
import { useRows } from "../../domain/station/useRows";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { deskMemory } from "../../host/memory";
import { t } from "../../locales/i18n";
import styles from "./FirstSteps.module.css";
import { type Step, STEPS, stepsDone } from "./first-steps";

const KEY = "quarterdeck.first-steps";
/** Records of the audit that are looked through; whoever has done more since has put the list away. */
const RECORDS = 500;

/** The first things to try in the simulator. The list ticks itself, and is put away by hand or when all is done (U-1803). */
export function FirstSteps({ robots }: { robots: readonly RobotRow[] }) {
  const [hidden, setHidden] = useState(() => deskMemory.read(KEY) === "hidden");
  const simulated = useLive((store) => store.mode === "sim");
  if (hidden || !simulated) return null;
  const hide = () => {
    deskMemory.write(KEY, "hidden");
    setHidden(true);
  };
  return (
    <Panel
      title={t("steps.title")}
      aside={
        <Button look="quiet" size="row" data-testid="hide-steps" onClick={hide}>
          {t("steps.hide")}
        </Button>
      }
    >
      <Steps robots={robots} />
    </Panel>
  );
}

function Steps({ robots }: { robots: readonly RobotRow[] }) {
  const verdicts = useRows("proposals", "list_verdicts", {}).data?.rows ?? [];
  const proposals = useRows("proposals", "list_proposals", {}).data?.rows ?? [];
  const audit = useRecords().slice(-RECORDS);
  const live = robots.some(({ link }) => link === "live");
  const armed = useLive((store) => [...store.safety.values()].some(({ state }) => state === "armed"));
  const done = stepsDone({ live, armed, verdicts, proposals, audit });
  return (
    <ol className={styles.steps} data-testid="first-steps">
      {STEPS.map((step) => (
        <li key={step} data-step={step} data-done={done.has(step)} className={styles.step}>
          {done.has(step) ? (
            <Check aria-hidden="true" className={styles.icon} />
          ) : (
            <Circle aria-hidden="true" className={styles.icon} />
          )}
          <Name step={step} />
          <span className="visually-hidden">{t(done.has(step) ? "steps.done" : "steps.open")}</span>
        </li>
      ))}
    </ol>
  );
}

/** A step leads to where it is done; what is said to the agent is put into the message, and sent by the operator. */
function Name({ step }: { step: Step }) {
  const { store } = useStation();
  switch (step) {
    case "see":
      return <Link href="/world">{t("steps.see")}</Link>;
    case "arm":
      return <span>{t("steps.arm")}</span>;
    case "goal":
    case "denial":
      return (
        <Button look="quiet" size="row" onClick={() => suggest(store, t(`steps.say_${step}`))}>
          {t(`steps.${step}`)}
        </Button>
      );
    case "approve":
      return <Link href="/approvals">{t("steps.approve")}</Link>;
    case "stop":
      return <span>{t("steps.stop")}</span>;
  }
}
