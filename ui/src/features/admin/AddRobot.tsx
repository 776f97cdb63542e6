import { useId, useRef, useState } from "react";
import { Upload } from "lucide-react";
import { useLocation } from "wouter";
import { Button } from "../../design/components/Button";
import { DropHint } from "../../design/components/DropHint";
import { Refusal } from "../../design/components/Refusal";
import { say } from "../../design/components/toast-queue";
import { useFileDrop } from "../../design/components/useFileDrop";
import { CodeField } from "../../design/fields/CodeField";
import { problemAt } from "../../design/fields/refusal";
import { useRested } from "../../design/fields/useRested";
import { Panel } from "../../design/layout/Panel";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { toHostError } from "../../host/host";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import { ManifestFacts } from "./ManifestFacts";

/** A text that was not changed for this long is checked. */
const REST_MS = 300;
/** The longest manifest, bytes. */
const BYTES_MAX = 1 << 19;

/** Adds a robot by its manifest, which is checked while it is written: dropped, chosen or pasted. */
export function AddRobot() {
  const [text, setText] = useState("");
  const [fault, setFault] = useState<"too_long" | "unreadable" | null>(null);
  const newest = useRef(0);
  const add = useOperation("add_robot");
  const write = (next: string) => {
    newest.current += 1;
    setText(next);
    setFault(null);
    add.forget();
  };
  const take = async ([file]: readonly File[]) => {
    if (file === undefined) return;
    if (file.size > BYTES_MAX) return setFault("too_long");
    const read = (newest.current += 1);
    // A folder is dropped like a file, and a file may be gone or closed to this person.
    const content = await file.text().catch(() => null);
    // Another file, or something typed, has come meanwhile.
    if (read !== newest.current) return;
    if (content === null) setFault("unreadable");
    else write(content);
  };
  const drop = useFileDrop((files) => void take(files));
  return (
    <div className={styles.drop} data-over={drop.over} data-testid="robot-drop" {...drop.handlers}>
      <Panel title={t("add_robot.title")}>
        <div className={styles.line}>
          <ManifestFile onFiles={(files) => void take(files)} />
        </div>
        {fault !== null && (
          <p className={styles.line} role="alert" data-testid={`manifest-${fault.replace("_", "-")}`}>
            {t(`add_robot.${fault}`)}
          </p>
        )}
        <Written text={text} onText={write} add={add} />
        {drop.over && <DropHint text={t("add_robot.drop")} />}
      </Panel>
    </div>
  );
}

function ManifestFile({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const hint = useId();
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".toml"
        data-testid="manifest-file"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file, changed meanwhile, can be chosen again.
          event.target.value = "";
        }}
      />
      <Button data-testid="manifest-choose" aria-describedby={hint} onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" /> {t("add_robot.choose")}
      </Button>
      <span id={hint} className={styles.hint}>
        {t("add_robot.means")}
      </span>
    </>
  );
}

type WrittenProps = {
  text: string;
  onText: (text: string) => void;
  add: ReturnType<typeof useOperation<"add_robot">>;
};

/** The text, what the station makes of it, and the act. */
function Written({ text, onText, add }: WrittenProps) {
  const [, navigate] = useLocation();
  const refusal = useAdminRefusal();
  const rested = useRested(text, REST_MS);
  const isWritten = text.trim() !== "";
  const checked = useRows("robots", "check_manifest", { manifest: rested ?? "" }, rested !== null && isWritten);
  const meaning = rested === null || !isWritten ? undefined : checked.data?.rows;
  const refused = isWritten && rested !== null && checked.error !== null ? toHostError(checked.error) : null;
  const problem = problemAt(refused, "manifest");
  const send = () => {
    if (meaning === undefined || meaning.is_known || refusal !== null) return;
    add.run({ manifest: text }, ({ robot }) => {
      onText("");
      say({ text: t("add_robot.added", { robot }) });
      navigate(`/safety/${encodeURIComponent(robot)}`);
    });
  };
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={styles.wide}>
        <CodeField
          label={t("add_robot.manifest")}
          rows={8}
          lines
          value={text}
          problem={problem}
          testId="manifest-text"
          onChange={onText}
        />
      </div>
      {meaning !== undefined && (
        <div className={styles.flush}>
          <ManifestFacts meaning={meaning} />
        </div>
      )}
      <Button
        type="submit"
        look="primary"
        data-testid="robot-add"
        disabled={refusal !== null || meaning === undefined || meaning.is_known || add.pending}
      >
        {add.pending ? t("hold.sending") : t("add_robot.add")}
      </Button>
      <span className={styles.hint} role="status">
        {refusal ?? (meaning?.is_known === true ? t("add_robot.known", { robot: meaning.robot }) : t("add_robot.next"))}
      </span>
      <div className={styles.wide}>
        <Refusal error={add.error ?? (problem === null ? refused : null)} />
      </div>
    </form>
  );
}
