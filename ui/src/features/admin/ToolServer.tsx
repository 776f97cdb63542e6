import { useState } from "react";
import type { McpServerRow } from "../../generated/bindings/McpServerRow";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import table from "../../design/components/table.module.css";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import { McpTool } from "./McpTool";

/** One external MCP server: whether it answers, what it offers, and what was let of it. */
export function ToolServer({ server }: { server: McpServerRow }) {
  const { id, state, reason, trusted, url, command, tools } = server;
  return (
    <Panel
      title={id}
      aside={
        <>
          <strong data-testid={`server-state-${id}`}>{t(`tool_server_state.${state}`)}</strong>
          <RemoveServer id={id} />
        </>
      }
    >
      <p className={`${styles.line} ${styles.hint}`}>
        <code>{url ?? command.join(" ")}</code>
        {trusted && <span>{t("tool_server.trusted")}</span>}
        {reason !== null && <span>{reason}</span>}
      </p>
      {tools.length > 0 && (
        <div className={table.scroll}>
          <table className={table.table} data-testid={`tools-${id}`}>
            <thead>
              <tr>
                <th scope="col">{t("mcp_tool.name")}</th>
                <th scope="col">{t("mcp_tool.state")}</th>
                <th scope="col">{t("mcp_tool.effect")}</th>
                <th scope="col">
                  <span className="visually-hidden">{t("mcp_tool.acts")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {tools.map((tool) => (
                <McpTool key={tool.name} server={id} tool={tool} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function RemoveServer({ id }: { id: string }) {
  const [asked, setAsked] = useState(false);
  const remove = useOperation("remove_mcp_server");
  if (!asked) {
    return (
      <Button
        look="quiet"
        data-testid={`server-remove-${id}`}
        aria-label={t("tool_server.remove", { id })}
        onClick={() => setAsked(true)}
      >
        {t("rules.remove")}
      </Button>
    );
  }
  return (
    <>
      <Button disabled={remove.pending} onClick={() => remove.run({ id })}>
        {remove.pending ? t("hold.sending") : t("tool_server.do_remove")}
      </Button>
      <Button look="quiet" onClick={() => setAsked(false)}>
        {t("safety.cancel")}
      </Button>
      <Refusal error={remove.error} />
    </>
  );
}
