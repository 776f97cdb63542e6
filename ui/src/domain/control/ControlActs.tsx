import { useRef, useState } from "react";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Button } from "../../design/components/Button";
import { useAdminRefusal } from "../station/useAdminRefusal";
import { useCommandRefusal } from "../station/useCommandRefusal";
import { t } from "../../locales/i18n";
import { ReasonForm } from "../../design/fields/ReasonForm";
import { useOperation } from "../station/useOperation";
import { AskForm } from "./AskForm";
import styles from "./ControlActs.module.css";
import { GiveOrTake, type GiveOrTakeName } from "./GiveOrTake";
import { type Holding, holdingText } from "./holder";
import { useHolding } from "./useHolding";

/** Actions of this desk on the control of a robot; the station says which are allowed (U-703 to U-705). */
export function ControlActs({ robot }: { robot: RobotRow }) {
  // What was asked and answered about one robot is not about another that takes its place on screen.
  return <OwnActs key={robot.id} robot={robot} />;
}

function OwnActs({ robot }: { robot: RobotRow }) {
  const holding = useHolding(robot);
  const commands = useCommandRefusal();
  const group = useRef<HTMLDivElement>(null);
  // An act ends with its button going away, and the focus must not go with it.
  const backToGroup = () => group.current?.focus();
  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      className={styles.acts}
      data-testid={`control-acts-${robot.id}`}
      aria-label={t("control.group", { robot: robot.id, holder: holdingText(holding) })}
    >
      <div className={styles.row}>
        {actsOf(holding).map((name) => (
          <GiveOrTake key={name} name={name} robot={robot.id} refusal={commands} onGone={backToGroup} />
        ))}
        {commands !== null && holding.by !== "other" && <span className={styles.hint}>{commands}</span>}
        {(holding.by === "local" || holding.by === "unknown") && (
          <span className={styles.hint}>{t(`control.out_of_reach_${holding.by}`)}</span>
        )}
      </div>
      {holding.by === "other" && (
        // Words for one holder, and the answer of one, end with that one's control.
        <OtherActs key={holding.session} robot={robot.id} name={holding.name} onGone={backToGroup} />
      )}
    </div>
  );
}

/** Control is given away by its holder only, and passes from one holder to the next in separate acts. */
function actsOf(holding: Holding): readonly GiveOrTakeName[] {
  switch (holding.by) {
    case "you":
      return holding.alone
        ? ["release_control", "hand_to_agent"]
        : ["take_control", "release_control", "hand_to_agent"];
    case "agent":
      return ["take_control"];
    case "nobody":
      return ["take_control", "hand_to_agent"];
    case "other":
    case "local":
    case "unknown":
      return [];
  }
}

function OtherActs({ robot, name, onGone }: { robot: string; name: string; onGone: () => void }) {
  const [open, setOpen] = useState<"ask" | "force" | null>(null);
  const commands = useCommandRefusal();
  const admin = useAdminRefusal();
  const toggle = (form: "ask" | "force") => setOpen(open === form ? null : form);
  return (
    <>
      <div className={styles.row}>
        <Button
          data-testid={`ask-control-${robot}`}
          aria-expanded={open === "ask"}
          disabled={commands !== null && open !== "ask"}
          onClick={() => toggle("ask")}
        >
          {t(open === "ask" ? "safety.cancel" : "control.ask")}
        </Button>
        <Button
          data-testid={`force-control-${robot}`}
          aria-expanded={open === "force"}
          disabled={admin !== null && open !== "force"}
          onClick={() => toggle("force")}
        >
          {t(open === "force" ? "safety.cancel" : "control.force")}
        </Button>
        {(commands ?? admin) !== null && (
          <span className={styles.hint}>{commands ?? t("control.force_needs", { refusal: admin })}</span>
        )}
      </div>
      <AskForm
        robot={robot}
        name={name}
        open={open === "ask"}
        refusal={commands}
        onGone={onGone}
        onAsked={() => setOpen(null)}
      />
      {open === "force" && <ForceForm robot={robot} name={name} refusal={admin} onGone={onGone} />}
    </>
  );
}

type ForceFormProps = { robot: string; name: string; refusal: string | null; onGone: () => void };

/** Takes control from another person, who is not asked: Admin, with a reason that is kept (U-704). */
function ForceForm({ robot, name, refusal, onGone }: ForceFormProps) {
  const force = useOperation("force_control");
  return (
    <ReasonForm
      label={t("control.force_why", { name })}
      act={t("control.do_force")}
      testId={`force-form-${robot}`}
      refusal={refusal}
      call={force}
      onSubmit={(reason) => force.run({ robot, reason })}
      onGone={onGone}
    />
  );
}
