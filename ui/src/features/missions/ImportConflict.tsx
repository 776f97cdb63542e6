import { useState } from "react";
import { Button } from "../../design/components/Button";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { HostError, toHostError } from "../../host/host";
import { t } from "../../locales/i18n";
import { CompareDialog } from "./CompareDialog";
import { presentIn } from "./graph/file-writes";
import type { FileText } from "./graph/history";
import { useKeptHistory } from "./graph/useKeptHistory";
import type { MissionImport } from "./useMissionImport";

type ImportConflictProps = {
  id: string;
  name: string;
  /** The text of the file that is to be brought in. */
  mine: string;
  files: MissionImport;
  onClose: () => void;
};

/** A file that is brought in beside the one whose name it has. Only what was read here is replaced, and that can be undone. */
export function ImportConflict({ id, name, mine, files, onClose }: ImportConflictProps) {
  const mission = useRows("missions", "get_mission", { mission_id: id });
  const { now, replace, pending, refusal } = useReplacement(id, mission.data?.rows, () => {
    files.settle(name, "replaced");
    onClose();
  });
  const operator = useCommandRefusal();
  const unread = mission.isSuccess && now === null ? new HostError("mission_unreadable", t("missions.no_text")) : null;
  return (
    <CompareDialog
      title={t("missions.import_compare", { file: name })}
      detail={t("missions.import_compare_detail")}
      before={{ label: t("missions.file_now"), text: now?.source ?? "" }}
      after={{ label: t("missions.import_text"), text: mine }}
      error={refusal ?? unread ?? (mission.error === null ? null : toHostError(mission.error))}
      testId="import-conflict"
      acts={
        <>
          <Button onClick={onClose}>{t("missions.decide_later")}</Button>
          <Button
            data-testid="import-keep-both"
            disabled={pending || files.pending}
            onClick={() => {
              onClose();
              files.keepBoth(name);
            }}
          >
            {t("missions.keep_both")}
          </Button>
          <Button
            data-testid="import-keep-now"
            disabled={pending}
            onClick={() => {
              files.settle(name, "skipped");
              onClose();
            }}
          >
            {t("missions.keep_now")}
          </Button>
          <Button
            data-testid="import-replace"
            title={operator ?? undefined}
            disabled={operator !== null || pending || now === null}
            onClick={() => now !== null && replace(now, mine)}
          >
            {pending ? t("hold.sending") : t("missions.replace")}
          </Button>
        </>
      }
      onClose={onClose}
    />
  );
}

/** The file as it stands, and the act that puts another text over exactly that. */
function useReplacement(
  id: string,
  told: { source: string | null; hash: string | null } | undefined,
  onDone: () => void,
) {
  const { record } = useKeptHistory();
  // The file that a refusal has told of: newer than what was asked before.
  const [met, setMet] = useState<FileText | null>(null);
  const call = useOperation("save_mission");
  const { source, hash } = told ?? { source: null, hash: null };
  const now = met ?? (source === null || hash === null ? null : { source, hash });
  const replace = (before: FileText, mine: string) =>
    call.run(
      { mission_id: id, base_hash: before.hash, source: mine },
      ({ hash, source }) => {
        record({ kind: "text", id, before, after: { hash, source } });
        onDone();
      },
      (refusal) => setMet(presentIn(refusal) ?? met),
    );
  return { now, replace, pending: call.pending, refusal: call.error };
}
