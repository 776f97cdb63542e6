import { useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../design/components/Button";
import { Dialog } from "../../design/components/Dialog";
import { Refusal } from "../../design/components/Refusal";
import { say } from "../../design/components/toast-queue";
import { SelectField } from "../../design/fields/SelectField";
import { TextField } from "../../design/fields/TextField";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { codedText } from "../../locales/station-words";
import { setBuffer, useBufferKey } from "./mission-buffers";
import { placeOf } from "./mission-tabs";
import styles from "./Missions.module.css";
import { type Template, TEMPLATES } from "./templates";

const NO_ROBOT = "";
const NO_TEMPLATE = "none";
type Choice = Template | typeof NO_TEMPLATE;

const CHOICES: readonly Choice[] = [NO_TEMPLATE, "patrol", "dog", "weld", "filters", "home"];

/** The values of the form. The robot counts for an empty text, the place for a patrol. */
type Wanted = { title: string; choice: Choice; robot: string; place: string };

/** A new mission file, empty or from a template: its title gives its id, and it is opened to be written. */
export function NewMission({ onClose }: { onClose: () => void }) {
  const [wanted, setWanted] = useState<Wanted>({ title: "", choice: NO_TEMPLATE, robot: NO_ROBOT, place: "" });
  const { create, canCreate, error } = useCreate(wanted, onClose);
  return (
    <Dialog
      title={t("missions.new")}
      testId="new-mission"
      onClose={onClose}
      acts={
        <>
          <Button onClick={onClose}>{t("missions.not_created")}</Button>
          <Button look="primary" data-testid="new-mission-create" disabled={!canCreate} onClick={create}>
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
        <Fields wanted={wanted} onChange={(changed) => setWanted({ ...wanted, ...changed })} />
        <Refusal error={error} />
      </form>
    </Dialog>
  );
}

function Fields({ wanted, onChange }: { wanted: Wanted; onChange: (changed: Partial<Wanted>) => void }) {
  const { title, choice, robot, place } = wanted;
  const robots = useRows("robots", "list_robots", {}).data?.rows ?? [];
  const id = idOf(title);
  const noTitle = choice === NO_TEMPLATE ? "missions.new_title_hint" : "missions.template_title_hint";
  return (
    <>
      <TextField
        label={t("missions.new_title")}
        value={title}
        problem={null}
        testId="new-mission-title"
        onChange={(next) => onChange({ title: next })}
      />
      <p className={styles.hint}>{id === "" ? t(noTitle) : t("missions.new_file", { file: `${id}.md` })}</p>
      <SelectField
        label={t("missions.template")}
        value={choice}
        problem={null}
        options={CHOICES.map((value) => ({ value, text: t(`missions.template_${value}`) }))}
        onChange={(next) => onChange({ choice: next })}
      />
      {choice === NO_TEMPLATE ? (
        <SelectField
          label={t("missions.new_robot")}
          value={robot}
          problem={null}
          options={[
            { value: NO_ROBOT, text: t("missions.no_robots") },
            ...robots.map((row) => ({ value: row.id, text: row.id })),
          ]}
          onChange={(next) => onChange({ robot: next })}
        />
      ) : (
        <p className={styles.hint}>{t("missions.template_hint")}</p>
      )}
      {choice === "patrol" && (
        <>
          <TextField
            label={t("missions.template_place")}
            value={place}
            problem={null}
            testId="new-mission-place"
            onChange={(next) => onChange({ place: next })}
          />
          <p className={styles.hint}>{t("missions.template_place_hint")}</p>
        </>
      )}
    </>
  );
}

function useCreate({ title, choice, robot, place }: Wanted, onClose: () => void) {
  const [, go] = useLocation();
  const save = useOperation("save_mission");
  const draft = useOperation("draft_mission");
  const id = idOf(title);
  const key = useBufferKey(id);
  const begin = () => {
    // Without a hash the station refuses a name that is taken: nothing is written over.
    save.run({ mission_id: id, base_hash: null, source: textOf(title, robot) }, ({ hash, source }) => {
      setBuffer(key, { base: { hash, source }, text: source });
      onClose();
      go(placeOf(id, "text"));
    });
  };
  const beginFrom = (template: Template) => {
    draft.run(
      {
        template: TEMPLATES[template],
        title: title.trim() || null,
        // The file has the name that stands below the title, or the station refuses it as taken.
        mission_id: id || null,
        place: (template === "patrol" && place.trim()) || null,
      },
      ({ mission_id, notes, note_kinds }) => {
        onClose();
        // A wish that the draft does not follow is told where the draft is shown.
        const told = notes.map((note, at) => codedText("mission_draft_note", note_kinds?.[at], note));
        if (told.length > 0) say({ text: told.join(" ") });
        go(placeOf(mission_id, "form"));
      },
    );
  };
  const canCreate = (id !== "" || choice !== NO_TEMPLATE) && !save.pending && !draft.pending;
  return {
    canCreate,
    error: choice === NO_TEMPLATE ? save.error : draft.error,
    create: () => {
      if (!canCreate) return;
      if (choice === NO_TEMPLATE) begin();
      else beginFrom(choice);
    },
  };
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
