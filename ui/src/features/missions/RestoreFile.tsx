import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Refusal } from "../../design/components/Refusal";
import { formatWhen } from "../../design/format/time";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import type { GraphHistory } from "./graph/useGraphHistory";

type RestoreFileProps = { mission: MissionDetail; history: GraphHistory };

/** In the place of a text that is not there: a missing file can be made again of the newest text that it had. */
export function RestoreFile({ mission: { id, flags }, history }: RestoreFileProps) {
  const isMissing = flags.includes("file_missing");
  const told = useRows("missions", "mission_history", { mission_id: id }, isMissing);
  const read = useOperation("get_mission");
  const operator = useCommandRefusal();
  if (!isMissing) return <Notice title={t("missions.no_text")} />;
  const newest = told.data?.rows.versions[0];
  const restore = (version: string) =>
    read.run({ mission_id: id, version }, ({ source }) => source !== null && history.restore(id, source));
  return (
    <>
      <Notice
        title={t("missions.file_missing", { file: `${id}.md` })}
        detail={newest === undefined && told.isSuccess ? t("missions.no_version") : t("missions.file_missing_detail")}
      >
        {newest !== undefined && (
          <Button
            data-testid="mission-restore-file"
            title={operator ?? undefined}
            disabled={operator !== null || read.pending || history.pending}
            onClick={() => restore(newest.hash)}
          >
            {newest.seen_ms === null
              ? t("missions.restore_file")
              : t("missions.restore_file_of", { when: formatWhen(newest.seen_ms) })}
          </Button>
        )}
      </Notice>
      <Refusal error={read.error ?? history.error} />
    </>
  );
}
