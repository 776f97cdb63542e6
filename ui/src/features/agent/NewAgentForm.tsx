import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { SelectField } from "../../design/fields/SelectField";
import { TextField } from "../../design/fields/TextField";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./AgentSwitch.module.css";

/** Form of an agent's name that the station accepts (IS-03); it checks again. */
const NAME = /^[a-z0-9_-]{1,64}$/;

/** Policy presets for a new agent. */
const PRESETS = ["operator", "companion", "vault", "investigator", "chat"] as const;

/** Makes an agent with a world and a memory of its own. */
export function NewAgentForm({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const create = useOperation("create_agent");
  const [id, setId] = useState("");
  const [preset, setPreset] = useState<(typeof PRESETS)[number]>("operator");
  const form = useRef<HTMLFormElement>(null);
  const name = id.trim();
  const wrong = name !== "" && !NAME.test(name);

  // Synchronises with the focus of the window: whoever opened the form wants to write.
  useEffect(() => form.current?.querySelector("input")?.focus(), []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };
  return (
    <form
      ref={form}
      noValidate
      className={styles.form}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        if (NAME.test(name))
          create.run({ id: name, ...(preset === "operator" ? {} : { preset }) }, (made) => onMade(made.id));
      }}
    >
      <TextField
        label={t("agent.new_name")}
        value={id}
        problem={wrong ? t("agent.name_problem") : null}
        testId="agent-new-id"
        onChange={(next) => {
          setId(next);
          create.forget();
        }}
      />
      <SelectField
        label={t("agents.preset")}
        value={preset}
        options={PRESETS.map((value) => ({ value, text: t(`preset.${value}`) }))}
        problem={null}
        onChange={setPreset}
      />
      <Button
        type="submit"
        look="primary"
        data-testid="agent-new-submit"
        disabled={name === "" || wrong || create.pending}
      >
        {create.pending ? t("hold.sending") : t("agent.make")}
      </Button>
      <Button look="quiet" onClick={onClose}>
        {t("safety.cancel")}
      </Button>
      <p className={styles.about}>{t("agent.new_about")}</p>
      <div className={styles.refusal}>
        <Refusal error={create.error} />
      </div>
    </form>
  );
}
