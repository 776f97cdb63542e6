import { useEffect, useState } from "react";
import { Link } from "wouter";
import type { ScanReport } from "../../../generated/bindings/ScanReport";
import { Button } from "../../../design/components/Button";
import { Meter } from "../../../design/components/Meter";
import { Refusal } from "../../../design/components/Refusal";
import { TextField } from "../../../design/fields/TextField";
import { Panel } from "../../../design/layout/Panel";
import { useAdminRefusal } from "../../../domain/station/useAdminRefusal";
import { useOperation } from "../../../domain/station/useOperation";
import { t } from "../../../locales/i18n";
import styles from "../Admin.module.css";
import find from "./Find.module.css";
import { numbersOf, type ScanPlaces, wordsOf } from "./find-draft";

/** Length of a scan, seconds. */
const SECONDS = 20;
/** The last domain of ROS 2 that a scan looks at. */
const DOMAIN_MAX = 101;

type ScanFormProps = {
  scan: ReturnType<typeof useOperation<"scan_robots">>;
  places: ScanPlaces;
  onPlaces: (places: ScanPlaces) => void;
  onStart: () => void;
  onReport: (report: ScanReport) => void;
};

/** Places to look at, and the scan while it runs. */
export function ScanForm({ scan, places, onPlaces, onStart, onReport }: ScanFormProps) {
  const cancel = useOperation("cancel_scan");
  const refusal = useAdminRefusal();
  const domains = numbersOf(places.domains, DOMAIN_MAX);
  const routers = wordsOf(places.routers);
  const isWhole = domains !== null && domains.length + routers.length > 0;
  const start = () => {
    if (domains === null || !isWhole || refusal !== null) return;
    onStart();
    scan.run({ domains, routers, seconds: SECONDS }, onReport);
  };
  return (
    <Panel
      title={t("find_robot.title")}
      aside={
        <Link href="/admin/connections" className={find.back}>
          {t("find_robot.to_connections")}
        </Link>
      }
    >
      <p className={`${styles.line} ${find.means}`}>{t("find_robot.means")}</p>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <TextField
          label={t("find_robot.domains")}
          value={places.domains}
          problem={domains === null ? t("find_robot.bad_domains") : null}
          testId="scan-domains"
          onChange={(text) => onPlaces({ ...places, domains: text })}
        />
        <TextField
          label={t("find_robot.routers")}
          value={places.routers}
          problem={null}
          testId="scan-routers"
          onChange={(text) => onPlaces({ ...places, routers: text })}
        />
        {scan.pending ? (
          <Button
            data-testid="scan-cancel"
            disabled={refusal !== null || cancel.pending}
            onClick={() => cancel.run({})}
          >
            {t("find_robot.cancel")}
          </Button>
        ) : (
          <Button type="submit" look="primary" data-testid="scan-start" disabled={refusal !== null || !isWhole}>
            {t("find_robot.start")}
          </Button>
        )}
        <span className={styles.hint} role="status">
          {refusal ?? (scan.pending ? <Progress /> : t("find_robot.sends_nothing", { seconds: SECONDS }))}
        </span>
        <div className={styles.wide}>
          {/* The person who has cancelled it knows. */}
          {scan.error?.code === "scan_cancelled" ? null : <Refusal error={scan.error ?? cancel.error} />}
        </div>
      </form>
    </Panel>
  );
}

/** The part of the scan's time that is over. */
function Progress() {
  const [passed, setPassed] = useState(0);
  // Synchronises with the clock.
  useEffect(() => {
    const timer = setInterval(() => setPassed((seconds) => Math.min(SECONDS, seconds + 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className={find.progress} data-testid="scan-progress">
      <Meter used={passed / SECONDS} label={t("find_robot.progress")} />
      <span data-figures="">{t("find_robot.passed", { passed, seconds: SECONDS })}</span>
    </span>
  );
}
