import { Link } from "wouter";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./NoRobots.module.css";

/** The first thing a new operator sees: what to do to see a robot. */
export function NoRobots() {
  const start = useOperation("start_simulator");
  const simulator = useLive((store) => store.session?.simulator ?? "stopped");
  const endpoints = useLive((store) => store.session?.zenoh_endpoints ?? NO_ENDPOINTS);
  const refusal = useCommandRefusal();
  const busy = start.pending || simulator === "starting";
  return (
    <div className={styles.empty}>
      <Notice title={t("overview.empty")} detail={t("overview.empty_detail")}>
        <Button
          look="primary"
          data-testid="start-simulator"
          disabled={busy || refusal !== null}
          onClick={() => start.run({})}
        >
          {busy ? t("overview.starting") : t("overview.start_simulator")}
        </Button>
        <Link href="/admin/find-robot" className={styles.more} data-testid="open-find-robot">
          {t("find_robot.open")}
        </Link>
        <Link href="/welcome" className={styles.more} data-testid="open-welcome">
          {t("welcome.open")}
        </Link>
        {refusal !== null && <span>{refusal}</span>}
        <Refusal error={start.error} />
      </Notice>
      {endpoints.length > 0 && (
        <Notice title={t("overview.connect")} detail={t("overview.connect_detail")}>
          {endpoints.map((endpoint) => (
            <code key={endpoint} className={styles.endpoint}>
              {endpoint}
            </code>
          ))}
        </Notice>
      )}
    </div>
  );
}

const NO_ENDPOINTS: readonly string[] = [];
