import { Segments } from "../../design/components/Segments";
import forms from "../../design/fields/forms.module.css";
import { NumberField } from "../../design/fields/NumberField";
import { SelectField } from "../../design/fields/SelectField";
import { TextField } from "../../design/fields/TextField";
import { t } from "../../locales/i18n";
import type { JobDraft } from "./job-draft";

const TIMES: readonly JobDraft["time"][] = ["cron_schedule", "every_secs", "at"];
const UNITS: readonly JobDraft["unit"][] = ["minutes", "hours", "days"];

type JobTimeFieldsProps = {
  draft: JobDraft;
  problemOf: (path: string) => string | null;
  onChange: (part: Partial<JobDraft>) => void;
};

/** When: on a pattern of the calendar, every so often, or once. */
export function JobTimeFields({ draft, problemOf, onChange }: JobTimeFieldsProps) {
  return (
    <>
      <Segments
        label={t("jobs.when")}
        value={draft.time}
        options={TIMES.map((value) => ({ value, text: t(`jobs.time_${value}`) }))}
        onChange={(time) => onChange({ time })}
      />
      <Time draft={draft} problemOf={problemOf} onChange={onChange} />
      <TextField
        label={t("jobs.zone_field")}
        value={draft.time_zone}
        problem={problemOf("time_zone")}
        testId="job-zone"
        onChange={(time_zone) => onChange({ time_zone })}
      />
    </>
  );
}

function Time({ draft, problemOf, onChange }: JobTimeFieldsProps) {
  switch (draft.time) {
    case "cron_schedule":
      return (
        <div>
          <TextField
            label={t("jobs.cron")}
            value={draft.cron_schedule}
            problem={problemOf("cron_schedule")}
            testId="job-cron"
            onChange={(cron_schedule) => onChange({ cron_schedule })}
          />
          <p className={forms.hint}>{t("jobs.cron_hint")}</p>
        </div>
      );
    case "at":
      return (
        <div>
          <TextField
            label={t("jobs.at")}
            value={draft.at}
            problem={problemOf("at")}
            testId="job-at"
            onChange={(at) => onChange({ at })}
          />
          <p className={forms.hint}>{t("jobs.at_hint")}</p>
        </div>
      );
    case "every_secs":
      return (
        <div className={forms.act}>
          <NumberField
            field={{ label: t("jobs.every"), unit: t(`jobs.unit_${draft.unit}`), step: 1 }}
            text={draft.every}
            problem={problemOf("every_secs")}
            onText={(every) => onChange({ every })}
          />
          <SelectField
            label={t("jobs.unit")}
            value={draft.unit}
            options={UNITS.map((value) => ({ value, text: t(`jobs.unit_${value}`) }))}
            problem={null}
            onChange={(unit) => onChange({ unit })}
          />
        </div>
      );
  }
}
