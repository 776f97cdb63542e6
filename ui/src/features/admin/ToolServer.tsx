import type { McpServerRow } from "../../generated/bindings/McpServerRow";
import { Panel } from "../../design/layout/Panel";
import table from "../../design/components/table.module.css";
import { lossText } from "../../domain/station/tool-faults";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import { ConfirmedAct } from "./ConfirmedAct";
import { McpTool } from "./McpTool";

/** One external MCP server: whether it answers, what it offers, and what was let of it. */
export function ToolServer({ server }: { server: McpServerRow }) {
  const { id, state, trusted, url, command, tools } = server;
  const reason = lossText(server);
  const refusal = useAdminRefusal();
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
        {refusal !== null && <span>{refusal}</span>}
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
                // Another form is another tool to look at: an effect that was chosen for the last one is none of its own.
                <McpTool key={`${tool.name} ${tool.hash} ${tool.effect}`} server={id} tool={tool} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function RemoveServer({ id }: { id: string }) {
  const remove = useOperation("remove_mcp_server");
  return (
    <ConfirmedAct
      kind="server-remove"
      id={id}
      text={t("rules.remove")}
      label={t("tool_server.remove", { id })}
      doText={t("tool_server.do_remove")}
      call={remove}
      onAct={() => remove.run({ id })}
    />
  );
}
