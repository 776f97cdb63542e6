import { useState } from "react";
import type { Missed } from "../../generated/bindings/Missed";
import { Segments } from "../../design/components/Segments";
import { Refusal } from "../../design/components/Refusal";
import { FormPanel } from "../../design/fields/FormPanel";
import forms from "../../design/fields/forms.module.css";
import { pathOf, problemAt } from "../../design/fields/refusal";
import { SelectField } from "../../design/fields/SelectField";
import { SubmitRow } from "../../design/fields/SubmitRow";
import { TextField } from "../../design/fields/TextField";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { everyWord } from "../../host/variants";
import { JobTimeFields } from "./JobTimeFields";
import { FIRST_DRAFT, type JobDraft, taskOf } from "./job-draft";
import { OperationHint } from "./OperationHint";
import { SchedulePreviewBox } from "./SchedulePreviewBox";
import { usePreview } from "./usePreview";

const MISSED = everyWord<Missed>({ once: true, skip: true, all: true });
const ACTIONS: readonly JobDraft["action"][] = ["prompt", "operation"];

/** Makes a job. What it would mean is shown while it is written. */
export function JobForm({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const [draft, setDraft] = useState<JobDraft>(FIRST_DRAFT);
  const schedule = useOperation("schedule_task");
  const preview = usePreview(draft);
  const asked = taskOf(draft);
  const change = (part: Partial<JobDraft>) => {
    setDraft({ ...draft, ...part });
    // The refusal was about another draft.
    schedule.forget();
  };
  const at = (path: string) => {
    if ("path" in asked && asked.path === path) return t(`jobs.problem_${asked.path}`);
    return (problemAt(schedule.error, path) ?? problemAt(preview.error, path))?.message ?? null;
  };
  return (
    <FormPanel
      title={t("jobs.new")}
      onClose={onClose}
      onSubmit={() => {
        if ("task" in asked) schedule.run(asked.task, ({ id }) => onMade(id));
      }}
    >
      <div className={forms.columns}>
        <WorkFields draft={draft} problemOf={at} onChange={change} />
        <div className={forms.column}>
          <JobTimeFields draft={draft} problemOf={at} onChange={change} />
          <SchedulePreviewBox preview={preview} />
        </div>
      </div>
      <SubmitRow
        act={t("jobs.make")}
        pending={schedule.pending}
        disabled={"path" in asked}
        hint={t("jobs.rights")}
        testId="job-submit"
      />
      <Refusal error={schedule.error} />
      {pathOf(schedule.error) !== "" && (
        <p className={forms.hint}>{t("jobs.field_at_fault", { field: pathOf(schedule.error) })}</p>
      )}
    </FormPanel>
  );
}

type WorkFieldsProps = {
  draft: JobDraft;
  problemOf: (path: string) => string | null;
  onChange: (part: Partial<JobDraft>) => void;
};

/** The work of the job: words for the agent, or an operation with its input. */
function WorkFields({ draft, problemOf, onChange }: WorkFieldsProps) {
  return (
    <div className={forms.column}>
      <TextField
        label={t("jobs.name")}
        value={draft.name}
        problem={problemOf("name")}
        testId="job-name"
        onChange={(name) => onChange({ name })}
      />
      <Segments
        label={t("jobs.does")}
        value={draft.action}
        options={ACTIONS.map((value) => ({ value, text: t(`jobs.action_${value}`) }))}
        onChange={(action) => onChange({ action })}
      />
      {draft.action === "prompt" ? (
        <TextField
          label={t("jobs.prompt")}
          value={draft.prompt}
          problem={problemOf("prompt")}
          testId="job-prompt"
          onChange={(prompt) => onChange({ prompt })}
        />
      ) : (
        <>
          <TextField
            label={t("jobs.operation")}
            value={draft.operation}
            problem={problemOf("operation")}
            testId="job-operation"
            onChange={(operation) => onChange({ operation })}
          />
          <OperationHint name={draft.operation.trim()} onExample={(input) => onChange({ input })} />
          <TextField
            label={t("jobs.input")}
            value={draft.input}
            problem={problemOf("input")}
            testId="job-input"
            onChange={(input) => onChange({ input })}
          />
        </>
      )}
      {/* A select is as wide as its words, not as the column. */}
      <div className={forms.row}>
        <SelectField
          label={t("jobs.missed")}
          value={draft.missed}
          options={MISSED.map((value) => ({ value, text: t(`missed.${value}`) }))}
          problem={problemOf("missed")}
          onChange={(missed) => onChange({ missed })}
        />
      </div>
    </div>
  );
}
