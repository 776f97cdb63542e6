import { useLocation } from "wouter";
import type { CertificateRow } from "../../generated/bindings/CertificateRow";
import type { Connections } from "../../generated/bindings/Connections";
import type { RobotConnection } from "../../generated/bindings/RobotConnection";
import { Button } from "../../design/components/Button";
import { Chip } from "../../design/components/Chip";
import { Notice } from "../../design/components/Notice";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { formatMoment, formatSilence } from "../../design/format/time";
import { Panel } from "../../design/layout/Panel";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import about from "./AboutSection.module.css";
import { AddRobot } from "./AddRobot";
import { CredentialsForm } from "./CredentialsForm";
import styles from "./Admin.module.css";
import { linkProblem } from "./link-problem";
import { PairGate } from "./PairGate";
import { RemoveRobot } from "./RemoveRobot";
import { RevokeRobot } from "./RevokeRobot";
import { useConnectionsLook } from "./useConnectionsLook";
import { type RobotRemoval, useRobotRemoval } from "./useRobotRemoval";
import { type RobotRevocation, useRobotRevocation } from "./useRobotRevocation";

/** Certificates that end sooner are marked, days. */
const SOON_DAYS = 30;

/** The network of the robots: profile, router, certificates, and which part of the way to a robot fails. */
export function ConnectionsSection() {
  const connections = useRows("connections", "get_connections", {});
  useConnectionsLook();
  return (
    <Rows query={connections} what={t("settings.connections")}>
      {({ rows, asked_ms }) => (
        <>
          <Network connections={rows} />
          <Robots connections={rows} asked_ms={asked_ms} />
          <FindPanel />
          <PairGate />
          <AddRobot />
          <CredentialsForm address={rows.router_address} />
          <Certificates rows={rows.certificates} />
          <StationsPanel />
        </>
      )}
    </Rows>
  );
}

/** The way to robots that are there already and not known here. */
function FindPanel() {
  const [, navigate] = useLocation();
  return (
    <Panel title={t("find_robot.title")}>
      <div className={styles.line}>
        <span className={`${styles.hint} ${styles.wide}`}>{t("find_robot.means")}</span>
        <Button data-testid="find-robot" onClick={() => navigate("/admin/find-robot")}>
          {t("find_robot.open")}
        </Button>
      </div>
    </Panel>
  );
}

/** The way to a station elsewhere. */
function StationsPanel() {
  const [, navigate] = useLocation();
  return (
    <Panel title={t("stations.title")}>
      <div className={styles.line}>
        <span className={`${styles.hint} ${styles.wide}`}>{t("stations.means")}</span>
        <Button data-testid="other-stations" onClick={() => navigate("/stations")}>
          {t("stations.another")}
        </Button>
      </div>
    </Panel>
  );
}

function Network({ connections }: { connections: Connections }) {
  const { profile, routers, router_connected, listening } = connections;
  const problem = linkProblem(connections);
  const facts: [string, string][] = [
    [t("connections.profile"), t(`network_profile.${profile}`)],
    profile === "production"
      ? [t("connections.router"), routers.join("  ")]
      : [t("connections.listening"), listening.join("  ")],
  ];
  if (profile === "production") {
    facts.push([t("connections.state"), t(router_connected ? "connections.router_up" : "connections.router_down")]);
  }
  return (
    <Panel title={t("connections.network")}>
      <dl className={about.facts} data-testid="network">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text === "" ? t("about.none") : text}</dd>
          </div>
        ))}
      </dl>
      {problem !== null && <Notice title={t("connections.nobody")} detail={problem} />}
      {profile === "production" && (
        <div className={styles.line}>
          <span className={styles.hint}>{t("connections.denials")}</span>
        </div>
      )}
    </Panel>
  );
}

function Robots({ connections, asked_ms }: { connections: Connections; asked_ms: number }) {
  const removal = useRobotRemoval();
  const revocation = useRobotRevocation();
  return (
    <Panel title={t("overview.robots")}>
      {connections.robots.length === 0 ? (
        <Notice title={t("connections.no_robots")} detail={t("connections.no_robots_detail")} />
      ) : (
        <div className={table.scroll}>
          <table className={table.table} data-testid="robot-connections">
            <thead>
              <tr>
                <th scope="col">{t("connections.robot")}</th>
                <th scope="col">{t("connections.last_beat")}</th>
                <th scope="col">{t("connections.way")}</th>
                <th scope="col">{t("connections.certificate")}</th>
                <th scope="col">
                  <span className="visually-hidden">{t("access.acts")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {connections.robots.map((row) => (
                <RobotLine
                  key={row.robot}
                  row={row}
                  connections={connections}
                  asked_ms={asked_ms}
                  removal={removal}
                  revocation={revocation}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

type RobotLineProps = {
  row: RobotConnection;
  connections: Connections;
  asked_ms: number;
  removal: RobotRemoval;
  revocation: RobotRevocation;
};

function RobotLine({ row, connections, asked_ms, removal, revocation }: RobotLineProps) {
  const { profile, problem } = connections;
  const { robot, simulated, certificate_name, revoked, last_beat_age_ms, failing_hop } = row;
  // Without a router in between the same failure is one of the only hop there is.
  const hop = failing_hop === "router_robot" && profile === "local" ? "station_robot" : failing_hop;
  return (
    <tr data-testid={`connection-${robot}`}>
      <th scope="row">
        <span className={styles.named}>
          <bdi>{robot}</bdi> {simulated && <Chip kind="sim">{t("connections.simulated")}</Chip>}
        </span>
      </th>
      <td data-figures="">
        {last_beat_age_ms === null ? t("connections.never") : <Silence age_ms={last_beat_age_ms} asked_ms={asked_ms} />}
      </td>
      <td className={`${table.wrap} ${styles.way}`}>
        {hop === null ? t("connections.answers") : <Chip kind="stale">{t(`failing_hop.${hop}`)}</Chip>}
        {hop !== null && problem === null && <p className={styles.hint}>{t(`failing_hop_do.${hop}`)}</p>}
      </td>
      <td>
        {certificate_name === null ? (
          <span className={table.muted}>{t("about.none")}</span>
        ) : (
          <bdi>{certificate_name}</bdi>
        )}{" "}
        {revoked && <Chip>{t("connections.revoked")}</Chip>}
      </td>
      <td>
        {/* Only a router keeps rules, and a simulated robot has no key that could be stolen. */}
        {profile === "production" && certificate_name !== null && !simulated && !revoked && (
          <RevokeRobot robot={robot} revocation={revocation} />
        )}
        {!simulated && <RemoveRobot robot={robot} removal={removal} />}
      </td>
    </tr>
  );
}

/** The age of a beat, which goes on growing while the station itself is not heard. */
function Silence({ age_ms, asked_ms }: { age_ms: number; asked_ms: number }) {
  return useLive(({ time }) => formatSilence(age_ms + Math.max(0, time.local_ms - asked_ms)));
}

function Certificates({ rows }: { rows: readonly CertificateRow[] }) {
  return (
    <Panel title={t("connections.certificates")}>
      {rows.length === 0 ? (
        <Notice title={t("connections.no_certificates")} detail={t("connections.no_certificates_detail")} />
      ) : (
        <div className={table.scroll}>
          <table className={table.table} data-testid="certificates">
            <thead>
              <tr>
                <th scope="col">{t("connections.name")}</th>
                <th scope="col">{t("connections.holder")}</th>
                <th scope="col">{t("access.made")}</th>
                <th scope="col">{t("connections.ends")}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={`${row.holder}-${row.name}`}>
                  <th scope="row" className={table.wrap}>
                    <bdi>{row.name}</bdi>
                  </th>
                  <td>{t(`certificate_holder.${row.holder}`)}</td>
                  <td className={table.wrap}>{formatMoment(row.made_ms)}</td>
                  <td className={table.wrap}>
                    {formatMoment(row.ends_ms)} <End days={row.days_left} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

/** The time until a certificate ends, once it is short. */
function End({ days }: { days: number }) {
  if (days >= SOON_DAYS) return null;
  return <Chip kind="stale">{days < 0 ? t("connections.ended") : t("connections.days_left", { days })}</Chip>;
}
