import { Panel } from "../../design/layout/Panel";
import { stopNotice } from "../../domain/stop/stop-notice";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import styles from "./AboutSection.module.css";

/** The limits of STOP ALL, and the station and program that are shown (U-612). */
export function AboutSection() {
  const session = useLive((store) => store.session);
  if (session === null) return null;
  const facts: [string, string][] = [
    [t("about.version"), session.version],
    [t("about.station"), session.station],
    [t("about.key"), session.public_key],
    [t("about.endpoints"), session.zenoh_endpoints.join("  ")],
    [t("about.licence"), "Apache-2.0"],
  ];
  return (
    <>
      <Panel title={t("about.stop")}>
        <p className={styles.notice} data-testid="stop-notice">
          {stopNotice()}
        </p>
      </Panel>
      <Panel title={t("about.program")}>
        <dl className={styles.facts} data-testid="about">
          {facts.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text === "" ? t("about.none") : <code>{text}</code>}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </>
  );
}
