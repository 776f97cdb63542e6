import { Link } from "wouter";
import type { RemoteLink } from "../generated/bindings/RemoteLink";
import { Button } from "../design/components/Button";
import { Refusal } from "../design/components/Refusal";
import { formatSilence } from "../design/format/time";
import { useLive } from "../domain/station/useLive";
import { useDesk, useDeskAct } from "../domain/station/useDesk";
import { t } from "../locales/i18n";
import styles from "./RemoteBar.module.css";

/** The name and address of a station elsewhere and the age of its link, for as long as the window shows it. */
export function RemoteBar() {
  const remote = useDesk()?.remote ?? null;
  const silent = useLive((store) => (store.time.now_ms === null ? null : formatSilence(store.time.silent_ms)));
  const leave = useDeskAct();
  if (remote === null) return null;
  const { station, link } = remote;
  return (
    <aside
      className={styles.bar}
      data-testid="remote-bar"
      data-link={link.state}
      aria-label={t("stations.shown_elsewhere")}
    >
      <strong>
        {t("stations.remote")} <bdi>{station.name}</bdi>
      </strong>
      <code>{station.address}</code>
      <span data-testid="remote-age" data-figures="">
        {silent === null ? t("stations.not_heard") : t("stations.heard", { age: silent })}
      </span>
      <span className={styles.state} role={link.state === "up" ? undefined : "alert"}>
        {stateText(link)}
      </span>
      {(link.state === "signed_out" || link.state === "certificate_changed") && (
        <Link href="/stations">{t("stations.connect_again")}</Link>
      )}
      <Button data-testid="remote-leave" disabled={leave.pending} onClick={() => void leave.send({ act: "leave" })}>
        {t("stations.leave")}
      </Button>
      <Refusal error={leave.error} />
    </aside>
  );
}

function stateText(link: RemoteLink): string {
  switch (link.state) {
    case "connecting":
      return t("stations.connecting");
    case "up":
      return "";
    case "lost":
      return t("stations.lost", { sentence: link.sentence });
    case "signed_out":
      return t("stations.signed_out");
    case "certificate_changed":
      return t("stations.changed", { pinned: link.pinned, shown: link.shown });
  }
}
