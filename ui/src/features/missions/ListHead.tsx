import { FileInput, Pause } from "lucide-react";
import { useRef } from "react";
import type { MissionGraph } from "../../generated/bindings/MissionGraph";
import { IconButton } from "../../design/components/IconButton";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { say } from "../../design/components/toast-queue";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./ListHead.module.css";
import type { MissionImport } from "./useMissionImport";

/** The head of the list, with what is about all missions. */
export function ListHead({ graph, files }: { graph: MissionGraph; files: MissionImport }) {
  const input = useRef<HTMLInputElement>(null);
  const refusal = useCommandRefusal();
  const pause = useOperation("pause_all_missions");
  const active = graph.nodes.filter(({ status }) => status === "active").length;
  return (
    <>
      <header className={styles.head}>
        <h1 className={styles.title}>{t("nav.missions")}</h1>
        <input
          ref={input}
          type="file"
          accept=".md,text/markdown"
          multiple
          hidden
          data-testid="mission-files"
          onChange={(event) => {
            files.begin([...(event.target.files ?? [])]);
            // The same file may be chosen again.
            event.target.value = "";
          }}
        />
        <IconButton
          label={t("missions.import")}
          Icon={FileInput}
          disabled={refusal !== null}
          testId="mission-import"
          onClick={() => input.current?.click()}
        />
        <IconButton
          label={refusal ?? (pause.pending ? t("hold.sending") : t("missions.pause_all", { active }))}
          Icon={Pause}
          // Missions of other agents, which are not in this list, may be active too.
          disabled={refusal !== null || pause.pending}
          testId="pause-all"
          onClick={() => pause.run({}, ({ paused }) => say({ text: pausedText(paused) }))}
        />
      </header>
      <Refusal error={pause.error} />
    </>
  );
}

function pausedText(missions: readonly string[]): string {
  return missions.length === 0
    ? t("missions.paused_none")
    : t("missions.paused_all", { missions: missions.join(", ") });
}
