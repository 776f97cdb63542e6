import { useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../design/components/Button";
import { Dialog } from "../../design/components/Dialog";
import { Refusal } from "../../design/components/Refusal";
import { SelectField } from "../../design/fields/SelectField";
import { TextField } from "../../design/fields/TextField";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { setBuffer, useBufferKey } from "./mission-buffers";
import { placeOf } from "./mission-tabs";
import styles from "./Missions.module.css";

const NO_ROBOT = "";

/** A new mission file: its title gives its id, and its text is opened to be written. */
export function NewMission({ onClose }: { onClose: () => void }) {
  const [title, setTitle] = useState("");
  const [robot, setRobot] = useState(NO_ROBOT);
  const robots = useRows("robots", "list_robots", {}).data?.rows ?? [];
  const [, go] = useLocation();
  const save = useOperation("save_mission");
  const id = idOf(title);
  const key = useBufferKey(id);
  const create = () => {
    if (id === "") return;
    // Without a hash the station refuses a name that is taken: nothing is written over.
    save.run({ mission_id: id, base_hash: null, source: textOf(title, robot) }, ({ hash, source }) => {
      setBuffer(key, { base: { hash, source }, text: source });
      onClose();
      go(placeOf(id, "text"));
    });
  };
  return (
    <Dialog
      title={t("missions.new")}
      testId="new-mission"
      onClose={onClose}
      acts={
        <>
          <Button onClick={onClose}>{t("missions.not_created")}</Button>
          <Button look="primary" data-testid="new-mission-create" disabled={id === "" || save.pending} onClick={create}>
            {t("missions.create")}
          </Button>
        </>
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <TextField
          label={t("missions.new_title")}
          value={title}
          problem={null}
          testId="new-mission-title"
          onChange={setTitle}
        />
        <p className={styles.hint}>
          {id === "" ? t("missions.new_title_hint") : t("missions.new_file", { file: `${id}.md` })}
        </p>
        <SelectField
          label={t("missions.new_robot")}
          value={robot}
          problem={null}
          options={[
            { value: NO_ROBOT, text: t("missions.no_robots") },
            ...robots.map((row) => ({ value: row.id, text: row.id })),
          ]}
          onChange={setRobot}
        />
        <Refusal error={save.error} />
      </form>
    </Dialog>
  );
}

/** The id that a title stands for: small letters, digits and hyphens, 64 at most. */
export function idOf(title: string): string {
  const plain = title.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  return plain
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^[-_]+/, "")
    .slice(0, 64)
    .replace(/-+$/, "");
}

/** The text that a mission begins with. */
export function textOf(title: string, robot: string): string {
  // A JSON string is one of YAML too, whatever marks the title has.
  const front = [`title: ${JSON.stringify(title.trim())}`, ...(robot === NO_ROBOT ? [] : [`robots: [${robot}]`])];
  return `---\n${front.join("\n")}\n---\n${t("missions.new_body")}\n`;
}
