import { useLocation } from "wouter";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Refusal } from "../../design/components/Refusal";
import { say } from "../../design/components/toast-queue";
import { Panel } from "../../design/layout/Panel";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { setBuffer, useBuffer } from "./mission-buffers";
import { MissionEditor } from "./MissionEditor";
import { MissionText, type TextPlace } from "./MissionText";

/** The file of a mission: read, or changed once somebody says so. */
export function MissionFile({ mission, place }: { mission: MissionDetail; place: TextPlace | null }) {
  const { id, source, hash } = mission;
  const buffer = useBuffer(id);
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
              onClick={() => setBuffer(id, { base: file, text: file.source })}
            >
              {t("missions.edit")}
            </Button>
          )}
          {file !== null && <Remove mission={mission} file={file} />}
        </>
      }
    >
      {buffer !== undefined ? (
        <MissionEditor id={id} buffer={buffer} file={file} />
      ) : file === null ? (
        <Notice title={t("missions.no_text")} />
      ) : (
        <MissionText source={file.source} place={place} />
      )}
    </Panel>
  );
}

/** Puts the file away, which can be undone. That of a mission that is under way stays. */
function Remove({ mission, file }: { mission: MissionDetail; file: { source: string; hash: string } }) {
  const remove = useOperation("remove_mission");
  const save = useOperation("save_mission");
  const operator = useCommandRefusal();
  const [, go] = useLocation();
  const isUnderWay = mission.status === "active" || mission.status === "paused";
  const refusal = isUnderWay ? t("missions.remove_under_way") : operator;
  return (
    <>
      <Button
        size="row"
        look="quiet"
        data-testid="mission-remove"
        title={refusal ?? undefined}
        disabled={refusal !== null || remove.pending}
        onClick={() =>
          remove.run({ mission_id: mission.id, base_hash: file.hash }, ({ message, source }) => {
            setBuffer(mission.id, null);
            go("/missions");
            say({ text: message, undo: () => save.run({ mission_id: mission.id, base_hash: null, source }) });
          })
        }
      >
        {t("missions.remove")}
      </Button>
      <Refusal error={remove.error ?? save.error} />
    </>
  );
}
