import { useState } from "react";
import type { Effect } from "../../generated/bindings/Effect";
import type { McpToolRow } from "../../generated/bindings/McpToolRow";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import table from "../../design/components/table.module.css";
import { SelectField } from "../../design/fields/SelectField";
import { toolFaultText } from "../../domain/station/tool-faults";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";

/** Effects that an Admin can declare for a tool: moving robots is none of them. */
const EFFECTS: readonly (Effect | "")[] = ["", "read", "write", "irreversible"];

/** A tool of an external MCP server: exactly this form of it is allowed, or none. */
export function McpTool({ server, tool }: { server: string; tool: McpToolRow }) {
  const [effect, setEffect] = useState<Effect | "">(tool.effect ?? "");
  const pin = useOperation("pin_mcp_tool");
  const unpin = useOperation("unpin_mcp_tool");
  const refusal = useAdminRefusal();
  const canPin = tool.state === "new" || tool.state === "changed";
  const canUnpin = tool.state === "pinned" || tool.state === "changed" || tool.state === "gone";
  return (
    <tr data-testid={`tool-${tool.name}`} data-state={tool.state}>
      <th scope="row" className={table.wrap}>
        <code>{tool.name}</code>
        {/* A server's words about itself: quoted, never rendered (U-903). */}
        <q className={styles.hint}>{tool.description}</q>
        <Forms tool={tool} />
      </th>
      <td className={table.wrap}>
        <span className={styles.mark}>{t(`mcp_tool_state.${tool.state}`)}</span>
        {tool.problem !== null && <p className={styles.hint}>{toolFaultText(tool)}</p>}
      </td>
      <td>
        {canPin ? (
          <SelectField
            label={t("mcp_tool.effect")}
            value={effect}
            options={EFFECTS.map((value) => ({ value, text: effectText(value) }))}
            problem={null}
            onChange={setEffect}
          />
        ) : (
          effectText(tool.effect ?? "")
        )}
      </td>
      <td>
        <div className={styles.acts}>
          {canPin && (
            <Button
              data-testid={`pin-${tool.name}`}
              disabled={refusal !== null || pin.pending}
              title={refusal ?? undefined}
              onClick={() =>
                pin.run({ server, tool: tool.tool, hash: tool.hash, ...(effect === "" ? {} : { effect }) })
              }
            >
              {pin.pending ? t("hold.sending") : t("mcp_tool.pin")}
            </Button>
          )}
          {canUnpin && (
            <Button
              data-testid={`unpin-${tool.name}`}
              disabled={refusal !== null || unpin.pending}
              title={refusal ?? undefined}
              onClick={() => unpin.run({ server, tool: tool.tool })}
            >
              {unpin.pending ? t("hold.sending") : t("mcp_tool.unpin")}
            </Button>
          )}
          <Refusal error={pin.error ?? unpin.error} />
        </div>
      </td>
    </tr>
  );
}

/** The form of a tool as it is now, and as it was when it was pinned. */
function Forms({ tool }: { tool: McpToolRow }) {
  return (
    <details>
      <summary className={styles.hint}>{t("mcp_tool.form", { hash: tool.hash.slice(0, 12) })}</summary>
      <div className={styles.forms}>
        {tool.pinned_form !== null && (
          <div>
            {t("mcp_tool.was")}
            <pre tabIndex={0}>{tool.pinned_form}</pre>
          </div>
        )}
        <div>
          {t("mcp_tool.is")}
          <pre tabIndex={0}>{tool.form}</pre>
        </div>
      </div>
    </details>
  );
}

function effectText(effect: Effect | ""): string {
  return effect === "" ? t("mcp_tool.unknown_effect") : t(`effect.${effect}`);
}
