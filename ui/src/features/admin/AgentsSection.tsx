import type { AgentRow } from "../../generated/bindings/AgentRow";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { modeText } from "../../domain/agent/mode";
import { offlineText } from "../../domain/agent/model-failure";
import table from "../../design/components/table.module.css";
import { useStation } from "../../domain/station/station-context";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { EmbeddingChooser } from "./EmbeddingChooser";
import { ModelChooser } from "./ModelChooser";
import { SandboxSwitch } from "./SandboxSwitch";

/** Every agent of the station, and what the one this window shows thinks with and may use. */
export function AgentsSection() {
  const agents = useRows("agents", "list_agents", {});
  const shown = useLive((live) => live.agent);
  const row = agents.data?.rows.find(({ id }) => id === shown);
  return (
    <>
      <Panel title={t("agents.title")}>
        <Rows query={agents} what={t("agents.title")}>
          {({ rows }) => (
            <div className={table.scroll}>
              <table className={table.table} data-testid="agents">
                <thead>
                  <tr>
                    <th scope="col">{t("agents.name")}</th>
                    <th scope="col">{t("agents.model")}</th>
                    <th scope="col">{t("agents.mode")}</th>
                    <th scope="col">{t("agents.preset")}</th>
                    <th scope="col">{t("agents.now")}</th>
                    <th scope="col">
                      <span className="visually-hidden">{t("agents.acts")}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((agent) => (
                    <AgentLine key={agent.id} agent={agent} isShown={agent.id === shown} />
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Rows>
      </Panel>
      {shown !== null && row !== undefined && (
        <>
          {/* Keyed by the agent: what was chosen for one must not be sent for another. */}
          <ModelChooser
            key={`model ${shown}`}
            agent={shown}
            inForce={{
              main: row.provider ? { provider: row.provider, model: row.model.name } : null,
              side: row.side ?? null,
            }}
          />
          <EmbeddingChooser
            key={`embedding ${shown}`}
            agent={shown}
            inForce={row.embedding ?? null}
            recall={row.recall ?? "keyword"}
          />
          <SandboxSwitch key={`sandbox ${shown}`} agent={shown} />
        </>
      )}
    </>
  );
}

function AgentLine({ agent, isShown }: { agent: AgentRow; isShown: boolean }) {
  const { store } = useStation();
  return (
    <tr aria-current={isShown ? "true" : undefined} data-testid={`agent-${agent.id}`}>
      <th scope="row">{agent.id}</th>
      <td className={table.wrap}>
        {t(`model.${agent.model.kind}`, { name: agent.model.name })}
        {agent.side && <small className={table.muted}> · {t("agents.beside", { model: agent.side.model })}</small>}
      </td>
      <td>{modeText(agent.mode)}</td>
      <td>{agent.preset ?? t("agents.no_preset")}</td>
      <td className={table.wrap}>
        {offlineText(agent) ?? t(agent.running === null ? "agents.idle" : "agents.working")}
      </td>
      <td>
        {!isShown && (
          <Button look="quiet" onClick={() => store.chooseAgent(agent.id)}>
            {t("agents.show")}
          </Button>
        )}
      </td>
    </tr>
  );
}
