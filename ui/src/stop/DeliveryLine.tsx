import type { Host } from "../host/host";
import styles from "./StopPanel.module.css";
import { lateDelivery, type StopView } from "./stop-view";
import { words } from "./strings";
import { useDelivery } from "./useStopPress";

/** The way of a stop to a station elsewhere: not delivered and tried again, or delivered late. */
export function DeliveryLine({ host, view }: { host: Host; view: StopView }) {
  const late = lateDelivery(useDelivery(host));
  const withdraw = () => {
    // The shell answers from memory; while it does not, the stop goes on being tried and is shown so.
    host.desk?.act({ act: "withdraw_stop" }).catch(() => undefined);
  };
  if (view.state === "undelivered") {
    return (
      <div className={styles.strong} data-testid="stop-undelivered">
        <p role="alert">{words().undelivered(view.station)}</p>
        <p>{words().triedFor(view.pressed_ago_ms, view.sentence)}</p>
        <button type="button" className={styles.close} data-testid="stop-withdraw" onClick={withdraw}>
          {words().withdraw}
        </button>
      </div>
    );
  }
  if (late === null) return null;
  return (
    <p className={styles.strong} role="status" data-testid="stop-delivered">
      {words().deliveredAfter(late.station, late.took_ms)}
    </p>
  );
}
