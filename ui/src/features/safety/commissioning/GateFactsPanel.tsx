import type { CollisionMonitor } from "../../../generated/bindings/CollisionMonitor";
import type { GateAccount } from "../../../generated/bindings/GateAccount";
import type { GateManifest } from "../../../generated/bindings/GateManifest";
import { Panel } from "../../../design/layout/Panel";
import { t } from "../../../locales/i18n";
import { timeoutWords } from "./base-timeout";
import styles from "./GateFactsPanel.module.css";

function monitorWords({ node, input, place }: CollisionMonitor): string {
  return t(`monitor_place.${place}`, { node, input: input ?? "" });
}

type GateFactsPanelProps = { robot: string; gate: GateAccount; manifest: GateManifest };

/** The gate's own words about its robot, and what nobody guarantees (RG-11). */
export function GateFactsPanel({ robot, gate, manifest }: GateFactsPanelProps) {
  const { facts, placement, commissioning } = gate;
  const rows = [
    ["adapter", facts.adapter],
    ["moves", facts.moves.join(", ")],
    ["placement", t(`gate_placement.${placement}`)],
    ["manifest", t(`gate_manifest.${manifest}`)],
    ["hold", facts.hold],
    ["stop", facts.stop],
    ["last_to_command", facts.last_to_command],
    ["base_timeout", `${facts.base_timeout} · ${timeoutWords(commissioning.base_timeout)}`],
    ["foreign", facts.foreign],
    ...facts.collision_monitors.map((monitor) => ["collision_monitor", monitorWords(monitor)] as const),
  ] as const;
  return (
    <Panel title={t("gate_facts.title", { robot })}>
      <dl className={styles.facts} data-testid="gate-facts">
        {rows.map(([fact, words]) => (
          <div key={`${fact} ${words}`} className={styles.fact}>
            <dt>{t(`gate_facts.${fact}`)}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.line}>{t("gate_facts.not_guaranteed")}</p>
    </Panel>
  );
}
