// Preview of a schedule, asked of the station while it is written.

import { useQuery } from "@tanstack/react-query";
import type { SchedulePreview } from "../../generated/bindings/SchedulePreview";
import { type HostError, toHostError } from "../../host/host";
import { aboutAgent, type Input, operation } from "../../host/operations";
import { useStation } from "../../domain/station/station-context";
import { useLive } from "../../domain/station/useLive";
import { useRested } from "../../design/fields/useRested";
import { type JobDraft, previewOf } from "./job-draft";

/** Pause in typing after which the station is asked, milliseconds. */
const REST_MS = 200;

/** The next times, or what is wrong; neither while somebody types. */
export type PreviewAnswer = { preview: SchedulePreview | null; error: HostError | null };

/** The answer about this draft's time. */
export function usePreview(draft: JobDraft): PreviewAnswer {
  const { host } = useStation();
  const agent = useLive((store) => store.agent);
  const task = previewOf(draft);
  const rested = useRested(task === null ? "" : JSON.stringify(task), REST_MS);
  const asked = rested === null || rested === "" ? null : rested;
  const answer = useQuery({
    queryKey: ["preview_schedule", agent, asked],
    enabled: asked !== null && agent !== null,
    retry: false,
    queryFn: ({ signal }) =>
      operation(
        host,
        "preview_schedule",
        aboutAgent("preview_schedule", JSON.parse(asked ?? "{}") as Input<"preview_schedule">, agent),
        signal,
      ),
  });
  if (asked === null) return { preview: null, error: null };
  return { preview: answer.data ?? null, error: answer.error === null ? null : toHostError(answer.error) };
}
