import { useState } from "react";
import { Segments } from "../../design/components/Segments";
import { Refusal } from "../../design/components/Refusal";
import { CodeField } from "../../design/fields/CodeField";
import { FormPanel } from "../../design/fields/FormPanel";
import forms from "../../design/fields/forms.module.css";
import { problemAt } from "../../design/fields/refusal";
import { SubmitRow } from "../../design/fields/SubmitRow";
import { TextField } from "../../design/fields/TextField";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";

const WAYS = ["command", "url"] as const;

/** Connects an external MCP server: a program on this computer, or an address. */
export function ServerForm({ onClose }: { onClose: () => void }) {
  const [id, setId] = useState("");
  const [way, setWay] = useState<(typeof WAYS)[number]>("command");
  const [place, setPlace] = useState("");
  const add = useOperation("add_mcp_server");
  // One argument per line, because an argument may hold blanks and no shell takes quotes off.
  const words = place.split("\n").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
  const refusal = useAdminRefusal();
  const ready = refusal === null && id.trim() !== "" && words.length > 0;
  const problem = (path: string) => problemAt(add.error, path);
  return (
    <FormPanel
      title={t("tool_server.add")}
      onClose={onClose}
      onSubmit={() => {
        if (!ready) return;
        const where = way === "url" ? { url: words[0] ?? "" } : { command: words };
        add.run({ id: id.trim(), ...where }, onClose);
      }}
    >
      <div className={forms.columns}>
        <div className={forms.column}>
          <TextField
            label={t("tool_server.name")}
            value={id}
            problem={problem("id")?.message ?? null}
            testId="server-id"
            onChange={(next) => {
              setId(next);
              add.forget();
            }}
          />
          <Segments
            label={t("tool_server.way")}
            value={way}
            options={WAYS.map((value) => ({ value, text: t(`tool_server.way_${value}`) }))}
            onChange={(next) => {
              setWay(next);
              add.forget();
            }}
          />
        </div>
        <div className={forms.column}>
          <CodeField
            label={t(`tool_server.place_${way}`)}
            value={place}
            problem={problem(way)}
            rows={way === "url" ? 1 : 3}
            lines={way === "command"}
            testId="server-place"
            onChange={(next) => {
              setPlace(next);
              add.forget();
            }}
          />
        </div>
      </div>
      <SubmitRow
        act={t("tool_server.connect")}
        pending={add.pending}
        disabled={!ready}
        hint={refusal ?? t("tool_server.means")}
        testId="server-save"
      />
      <Refusal error={add.error} />
    </FormPanel>
  );
}
