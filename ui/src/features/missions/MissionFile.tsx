import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { t } from "../../locales/i18n";
import type { GraphHistory } from "./graph/useGraphHistory";
import { setBuffer, useBuffer, useBufferKey } from "./mission-buffers";
import { MissionEditor } from "./MissionEditor";
import { MissionText, type TextPlace } from "./MissionText";
import { RestoreFile } from "./RestoreFile";
import type { MissionRemoval } from "./useMissionRemoval";

export type MissionFileProps = {
  mission: MissionDetail;
  place: TextPlace | null;
  history: GraphHistory;
  /** Its refusal is shown where the removal is held. */
  removal: MissionRemoval;
};

/** The file of a mission: read, or changed once somebody says so. */
export function MissionFile({ mission, place, history, removal }: MissionFileProps) {
  const { id, source, hash } = mission;
  const key = useBufferKey(id);
  const buffer = useBuffer(key);
  const operator = useCommandRefusal();
  const file = source === null || hash === null ? null : { source, hash };
  return (
    <Panel
      title={t("missions.text")}
      aside={
        <>
          {`${id}.md`}
          {file !== null && buffer === undefined && (
            <Button
              size="row"
              data-testid="mission-edit"
              title={operator ?? undefined}
              disabled={operator !== null}
              onClick={() => setBuffer(key, { base: file, text: file.source })}
            >
              {t("missions.edit")}
            </Button>
          )}
          {file !== null && <Remove mission={mission} hash={file.hash} removal={removal} />}
        </>
      }
    >
      {buffer !== undefined ? (
        <MissionEditor id={id} buffer={buffer} file={file} place={place} />
      ) : file === null ? (
        <RestoreFile mission={mission} history={history} />
      ) : (
        <MissionText source={file.source} place={place} />
      )}
    </Panel>
  );
}

type RemoveProps = { mission: MissionDetail; hash: string; removal: MissionRemoval };

/** Puts the file away, which can be undone. That of a mission that is under way stays. */
function Remove({ mission, hash, removal }: RemoveProps) {
  const operator = useCommandRefusal();
  const isUnderWay = mission.status === "active" || mission.status === "paused";
  const refusal = isUnderWay ? t("missions.remove_under_way") : operator;
  return (
    <Button
      size="row"
      look="quiet"
      data-testid="mission-remove"
      title={refusal ?? undefined}
      disabled={refusal !== null || removal.pending}
      onClick={() => removal.run(mission.id, hash)}
    >
      {t("missions.remove")}
    </Button>
  );
}
