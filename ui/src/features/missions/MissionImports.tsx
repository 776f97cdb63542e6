import { useState } from "react";
import { Link } from "wouter";
import type { MissionImported } from "../../generated/bindings/MissionImported";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { errorSaid, t } from "../../locales/i18n";
import type { Said } from "../../locales/station-words";
import { ImportConflict } from "./ImportConflict";
import styles from "./Missions.module.css";
import type { MissionImport } from "./useMissionImport";

/** One line for each file that was brought in. A file whose name is taken waits for a choice (ME-02). */
export function MissionImports({ files }: { files: MissionImport }) {
  if (files.outcomes.length === 0 && files.error === null && !files.pending) return null;
  return (
    <Panel
      title={t("missions.imported")}
      aside={
        <Button size="row" look="quiet" onClick={files.forget}>
          {t("common.close")}
        </Button>
      }
    >
      <div role="status">
        <ul className={`${styles.line} ${styles.imports}`} data-testid="mission-imports">
          {files.outcomes.map((file) => (
            <Outcome key={file.name} file={file} files={files} />
          ))}
        </ul>
      </div>
      {files.pending && <p className={styles.line}>{t("missions.importing")}</p>}
      <div className={styles.line}>
        <Refusal error={files.error} />
      </div>
    </Panel>
  );
}

function Outcome({ file, files }: { file: MissionImported; files: MissionImport }) {
  const { name, mission_id, outcome } = file;
  const { text, more } = wordsOf(file);
  const [comparing, compare] = useState(false);
  const mine = comparing && outcome === "conflict" ? files.textOf(name) : null;
  return (
    <li data-outcome={outcome}>
      {mission_id === null ? <strong>{name}</strong> : <Link href={`/missions/${mission_id}`}>{name}</Link>}
      <span>
        {text} {more !== null && <small lang="en">{more}</small>}
      </span>
      {outcome === "conflict" && (
        <>
          <Button
            size="row"
            data-testid={`import-compare-${name}`}
            disabled={files.pending || mission_id === null}
            onClick={() => compare(true)}
          >
            {t("missions.compare")}
          </Button>
          <Button size="row" disabled={files.pending} onClick={() => files.keepBoth(name)}>
            {t("missions.keep_both")}
          </Button>
        </>
      )}
      {mission_id !== null && mine !== null && (
        <ImportConflict id={mission_id} name={name} mine={mine} files={files} onClose={() => compare(false)} />
      )}
    </li>
  );
}

/** The outcome in words, by the code of the refusal where it has one. */
function wordsOf({ outcome, code, message }: MissionImported): Said {
  if (message === null) return { text: t(`missions.import_${outcome}`), more: null };
  return code === null ? { text: message, more: null } : errorSaid(code, message);
}
