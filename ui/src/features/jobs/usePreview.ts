// Preview of a schedule, asked of the station while it is written.

import { useQuery } from "@tanstack/react-query";
import type { SchedulePreview } from "../../generated/bindings/SchedulePreview";
import { type HostError, toHostError } from "../../host/host";
import { aboutAgent, type Input, operation } from "../../host/operations";
import { useStation } from "../../domain/station/station-context";
import { useLive } from "../../domain/station/useLive";
import { useRested } from "../../design/fields/useRested";
import { type JobDraft, previewOf } from "./job-draft";
import { scheduleText } from "./job-schedule";

/** Pause in typing after which the station is asked, milliseconds. */
const REST_MS = 200;

/** The next times with the schedule in words, or what is wrong; neither while somebody types. */
export type PreviewAnswer = { preview: SchedulePreview | null; words: string; error: HostError | null };

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
    // A schedule that is wrong stays wrong.
    retry: false,
    queryFn: ({ signal }) =>
      operation(
        host,
        "preview_schedule",
        aboutAgent("preview_schedule", JSON.parse(asked ?? "{}") as Input<"preview_schedule">, agent),
        signal,
      ),
  });
  if (asked === null) return { preview: null, words: "", error: null };
  const preview = answer.data ?? null;
  const words = preview === null ? "" : wordsOf(JSON.parse(asked) as Input<"preview_schedule">, preview);
  return { preview, words, error: answer.error === null ? null : toHostError(answer.error) };
}

function wordsOf(
  { every_secs, cron_schedule }: Input<"preview_schedule">,
  { words, time_zone }: SchedulePreview,
): string {
  const given = { every_secs: every_secs ?? null, cron_schedule: cron_schedule ?? null };
  // What was typed as a single time is no moment yet.
  return scheduleText({ ...given, words, time_zone, at: null });
}
