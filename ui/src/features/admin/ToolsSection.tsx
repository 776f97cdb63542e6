import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { ServerForm } from "./ServerForm";
import { ToolServer } from "./ToolServer";

/** External MCP servers. No tool of theirs is called before an Admin has reviewed it and declared its effect (P-03). */
export function ToolsSection() {
  const refusal = useAdminRefusal();
  // A link that is lost for a moment takes nothing away: what was chosen for a tool stays until it is back.
  const isAdmin = useLive(({ session }) => session?.role === "admin" && !session.locked);
  const servers = useRows("tools", "list_mcp_servers", {}, refusal === null);
  const [adding, setAdding] = useState(false);
  const add = (
    <Button
      data-testid="server-add"
      disabled={refusal !== null}
      title={refusal ?? undefined}
      onClick={() => setAdding(true)}
    >
      {t("tool_server.add")}
    </Button>
  );
  return (
    <>
      {adding && <ServerForm onClose={() => setAdding(false)} />}
      {!isAdmin && (
        <Panel title={t("tool_server.title")} aside={refusal}>
          {null}
        </Panel>
      )}
      {isAdmin && (
        <Rows query={servers} what={t("tool_server.title")}>
          {({ rows }) =>
            rows.length === 0 ? (
              <Panel title={t("tool_server.title")}>
                <Notice title={t("tool_server.none")} detail={t("tool_server.none_detail")}>
                  {add}
                </Notice>
              </Panel>
            ) : (
              <>
                {rows.map((server) => (
                  <ToolServer key={server.id} server={server} />
                ))}
                <Panel title={t("tool_server.more")} aside={add}>
                  {null}
                </Panel>
              </>
            )
          }
        </Rows>
      )}
    </>
  );
}
