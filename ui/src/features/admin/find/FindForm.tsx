import { useRef, useState } from "react";
import type { DraftProblem } from "../../../generated/bindings/DraftProblem";
import type { Find } from "../../../generated/bindings/Find";
import type { FindField } from "../../../generated/bindings/FindField";
import type { RobotPrepared } from "../../../generated/bindings/RobotPrepared";
import { Button } from "../../../design/components/Button";
import { Notice } from "../../../design/components/Notice";
import { useFirstField } from "../../../design/fields/useFirstField";
import { useRested } from "../../../design/fields/useRested";
import { Panel } from "../../../design/layout/Panel";
import { useRows } from "../../../domain/station/useRows";
import { toHostError } from "../../../host/host";
import { t } from "../../../locales/i18n";
import styles from "../Admin.module.css";
import { FieldRow } from "./FieldRow";
import { type FieldState, GROUPS, isOptional, sentFields, type Setup, withGuess, withValue } from "./find-draft";
import { placeOf } from "./FindList";
import find from "./Find.module.css";
import { Prepare } from "./Prepare";
import { Prepared } from "./Prepared";

/** Fields that were not changed for this long are checked. */
const REST_MS = 300;
const NONE: readonly DraftProblem[] = [];

type FindFormProps = {
  find: Find;
  setup: Setup;
  onSetup: (setup: Setup) => void;
  onBack: () => void;
};

/** The fields of a find, checked while they are filled in, and the files that are made of them. */
export function FindForm({ find: found, setup, onSetup, onBack }: FindFormProps) {
  const { fields } = setup;
  const setFields = (changed: readonly FieldState[]) => onSetup({ ...setup, fields: changed });
  const [prepared, setPrepared] = useState<RobotPrepared | null>(null);
  const part = useRef<HTMLDivElement>(null);
  useFirstField(part);
  // As a text, because the fields are made anew with each key and would never rest.
  const sent = JSON.stringify(sentFields(fields));
  const rested = useRested(sent, REST_MS);
  const input = { protocol: found.protocol, fields: sentFields(fields) };
  const checked = useRows("robots", "draft_robot", input, rested !== null);
  const draft = rested === null ? undefined : checked.data?.rows;
  const problems = checked.data?.rows.problems ?? NONE;
  if (prepared !== null) return <Prepared prepared={prepared} onBack={onBack} />;
  return (
    <>
      <Panel
        title={t("find_robot.set_up", { name: found.name })}
        aside={
          <Button look="quiet" data-testid="find-back" onClick={onBack}>
            {t("find_robot.back")}
          </Button>
        }
      >
        <p className={`${styles.line} ${find.means}`}>{t("find_robot.fields_mean", { place: placeOf(found) })}</p>
        {found.commanders.length > 0 && (
          <Notice
            title={t("find_robot.commanders", { names: found.commanders.join(", ") })}
            detail={t("find_robot.commanders_detail")}
          />
        )}
        <div ref={part}>
          {GROUPS.map((group) => (
            <fieldset key={group} className={find.fields}>
              <legend>{t(`find_group.${group}`)}</legend>
              {fields
                .filter((state) => state.group === group)
                .map((state) => (
                  <FieldRow
                    key={state.field}
                    state={state}
                    optional={isOptional(state.field, fields)}
                    problem={problems.find(({ field }) => field === state.field)}
                    onValue={(value) => setFields(withValue(fields, state.field, value))}
                    onGuess={(is_guess) => setFields(withGuess(fields, state.field, is_guess))}
                  />
                ))}
            </fieldset>
          ))}
        </div>
      </Panel>
      <Prepare
        draft={draft}
        problems={problems}
        failure={rested === null || checked.error === null ? null : toHostError(checked.error)}
        input={input}
        robot={valueOf(fields, "robot")}
        folder={setup.folder}
        onFolder={(folder) => onSetup({ ...setup, folder })}
        onDone={setPrepared}
      />
    </>
  );
}

function valueOf(fields: readonly FieldState[], name: FindField): string {
  return fields.find(({ field }) => field === name)?.value ?? "";
}
