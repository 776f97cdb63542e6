// The sentence and an example of the operation that a job is to call.

import { useQuery } from "@tanstack/react-query";
import { Button } from "../../design/components/Button";
import forms from "../../design/fields/forms.module.css";
import { useRested } from "../../design/fields/useRested";
import { operation } from "../../host/operations";
import { useStation } from "../../domain/station/station-context";
import { t } from "../../locales/i18n";

/** A half typed name is not worth a question. */
const REST_MS = 200;

/** Nothing for a name that the station does not know: the preview says so. */
export function OperationHint({ name, onExample }: { name: string; onExample: (input: string) => void }) {
  const { host } = useStation();
  const rested = useRested(name, REST_MS);
  const { data } = useQuery({
    queryKey: ["describe_operation", rested],
    enabled: rested !== null && rested !== "",
    // A name that the station does not know now, it does not know a moment later.
    retry: false,
    queryFn: ({ signal }) => operation(host, "describe_operation", { name: rested ?? "" }, signal),
  });
  if (rested !== name || data === undefined) return null;
  const example = data.example === null ? null : JSON.stringify(data.example);
  return (
    <div className={forms.act} data-testid="operation-hint">
      <p className={forms.hint}>{data.description}</p>
      {example !== null && (
        <Button look="quiet" onClick={() => onExample(example)}>
          {t("jobs.use_example")}
        </Button>
      )}
    </div>
  );
}
