import { suggest } from "../../domain/agent/draft";
import { formatNumber } from "../../design/format/numbers";
import { useStation } from "../../domain/station/station-context";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import { Denial } from "../../domain/verdict/Denial";
import { ArgTree } from "./ArgTree";
import { callOutcome } from "./call-outcome";
import { DraftCard } from "./DraftCard";
import { readDraft } from "./mission-draft";
import { ToolLine } from "./ToolLine";
import styles from "./ToolRow.module.css";
import { ToolResultView } from "./ToolResultView";
import { readArgs, resultText, targetOf, verbOf } from "./tool-words";
import type { Row } from "./transcript-rows";

/** A tool call: what it did, to what, what came of it; opened, its exact arguments and result (U-901). */
export function ToolRow({ row }: { row: Extract<Row, { kind: "tool" }> }) {
  const { store: station } = useStation();
  const live = useLive((store) => store.turn?.calls.find(({ call }) => call === row.call));
  const { result } = row;
  const running = result === null && live?.state === "running";
  const outcome = result ? resultText(result) : live ? callOutcome(live) : t("tool.running");
  const draft = result?.kind === "text" ? readDraft(row.name, result.value) : null;
  return (
    <>
      <ToolLine
        call={row.call}
        verb={verbOf(row.name)}
        target={targetOf(row.args)}
        outcome={outcome}
        began_ms={running ? live.began_ms : null}
      >
        <p className={styles.facts}>
          <code>{row.name}</code>
          {live && <span>{t(`effect.${live.effect}`)}</span>}
          {row.took_ms !== null && <span>{t("tool.took", { ms: formatNumber(row.took_ms, 0) })}</span>}
          <span>{t("tool.as_agent")}</span>
        </p>
        <ArgTree value={readArgs(row.args)} />
        {result?.kind === "text" && <ToolResultView {...result} />}
        {result?.kind === "failed" && <ToolResultView text={result.text} value={null} source={null} />}
      </ToolLine>
      {draft && <DraftCard draft={draft} />}
      {result?.kind === "denial" && (
        <Denial
          sentence={result.sentence}
          verdict={result.verdict}
          rows={result.rows}
          command={result.command}
          onReplan={(text) => suggest(station, text)}
        />
      )}
    </>
  );
}
