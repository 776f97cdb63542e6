import type { AdminGranted } from "../../generated/bindings/AdminGranted";
import { formatAge } from "../../design/format/time";
import { useStation } from "./station-context";
import { useLive } from "./useLive";
import { useOperation } from "./useOperation";
import { t } from "../../locales/i18n";
import { Refusal } from "../../design/components/Refusal";
import styles from "./AdminGrant.module.css";

/**
 * Acts as Admin for a while, or ends that; the time left stands beside it. Nothing for a Viewer or a standing Admin.
 * `low` fits the status bar.
 */
export function AdminGrant({ low = false }: { low?: boolean }) {
  const { store } = useStation();
  const role = useLive((live) => live.session?.role);
  const until_mono_ms = useLive((live) => live.session?.admin_until_mono_ms ?? null);
  const left = useLive(({ time }) =>
    until_mono_ms === null || time.now_ms === null
      ? ""
      : formatAge(Math.max(0, Math.ceil((until_mono_ms - time.now_ms) / 1_000)) * 1_000),
  );
  const lost = useLive((live) => live.time.lost);
  const act = useOperation("act_as_admin");
  const end = useOperation("end_admin");

  const take = (granted: AdminGranted) => {
    if (store.session)
      store.applySession({ ...store.session, role: granted.role, admin_until_mono_ms: granted.until_mono_ms });
  };

  if (until_mono_ms !== null) {
    return (
      <span className={styles.grant} data-low={low} data-testid="admin-grant">
        <strong>{t("admin.left", { left })}</strong>
        <button
          type="button"
          className={styles.button}
          disabled={lost || end.pending}
          onClick={() => end.run({}, take)}
        >
          {end.pending ? t("hold.sending") : t("admin.end")}
        </button>
        <Refusal error={end.error} />
      </span>
    );
  }
  if (role !== "operator") return null;
  return (
    <span className={styles.grant} data-low={low} data-testid="admin-grant">
      <button type="button" className={styles.button} disabled={lost || act.pending} onClick={() => act.run({}, take)}>
        {act.pending ? t("hold.sending") : t("admin.act")}
      </button>
      <Refusal error={act.error} />
    </span>
  );
}
