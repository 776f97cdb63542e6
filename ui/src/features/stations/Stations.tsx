import type { RememberedStation } from "../../generated/bindings/RememberedStation";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Refusal } from "../../design/components/Refusal";
import table from "../../design/components/table.module.css";
import screen from "../../design/layout/screen.module.css";
import { Panel } from "../../design/layout/Panel";
import { useAsked } from "../../domain/station/useAsked";
import { useDesk, useDeskAct } from "../../domain/station/useDesk";
import { useStation } from "../../domain/station/station-context";
import { t } from "../../locales/i18n";
import { ConnectForm } from "./ConnectForm";
import styles from "./Stations.module.css";

/** Stations elsewhere: those that this desk remembers, and another one. */
export function Stations() {
  const { host } = useStation();
  const status = useDesk();
  return (
    <div className={`${screen.screen} ${styles.stations}`}>
      <header className={screen.head}>
        <h1 className={screen.title}>{t("stations.title")}</h1>
      </header>
      {host.desk === undefined ? (
        <Panel title={t("stations.title")} titled={false}>
          <Notice title={t("stations.only_app")} detail={t("stations.only_app_detail")} />
        </Panel>
      ) : (
        <>
          {/* Before the desk has answered nobody knows that none is remembered. */}
          {status !== null && <Remembered stations={status.stations} />}
          <ConnectForm />
        </>
      )}
    </div>
  );
}

function Remembered({ stations }: { stations: readonly RememberedStation[] }) {
  return (
    <Panel title={t("stations.remembered")}>
      {stations.length === 0 ? (
        <Notice title={t("stations.none")} detail={t("stations.none_detail")} />
      ) : (
        <div className={table.scroll}>
          <table className={table.table} data-testid="remembered-stations">
            <thead>
              <tr>
                <th scope="col">{t("stations.name")}</th>
                <th scope="col">{t("stations.address")}</th>
                <th scope="col">{t("stations.fingerprint")}</th>
                <th scope="col">
                  <span className="visually-hidden">{t("access.acts")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {stations.map((station) => (
                <Line key={station.address} station={station} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function Line({ station: { name, address, fingerprint } }: { station: RememberedStation }) {
  const call = useDeskAct();
  const { asked, asks, givesUp, ask, giveUp, onKeyDown, onConfirm } = useAsked(call.forget);
  return (
    <tr data-testid={`station-${address}`}>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td>{address}</td>
      <td className={table.wrap}>
        <code>{fingerprint}</code>
      </td>
      <td>
        <span className={styles.acts}>
          <Button
            data-testid={`station-open-${address}`}
            disabled={call.pending}
            onClick={() => void call.send({ act: "open", address })}
          >
            {call.pending ? t("hold.sending") : t("stations.open")}
          </Button>
          {asked ? (
            <>
              <Button
                data-testid={`station-forget-yes-${address}`}
                disabled={call.pending}
                onKeyDown={onKeyDown}
                onClick={onConfirm(() => void call.send({ act: "forget", address }))}
              >
                {t("stations.forget_yes")}
              </Button>
              <Button ref={givesUp} look="quiet" disabled={call.pending} onKeyDown={onKeyDown} onClick={giveUp}>
                {t("safety.cancel")}
              </Button>
            </>
          ) : (
            <Button
              ref={asks}
              look="quiet"
              data-testid={`station-forget-${address}`}
              aria-label={t("stations.forget_name", { name })}
              onClick={ask}
            >
              {t("stations.forget")}
            </Button>
          )}
          <Refusal error={call.error} />
        </span>
      </td>
    </tr>
  );
}
