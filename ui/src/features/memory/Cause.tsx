import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Rows } from "../../design/components/Rows";
import { formatMoment } from "../../design/format/time";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./Memory.module.css";

/** The record that led to another, asked for one step at a time: what somebody said, and what came of it. */
export function Cause({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.cause}>
      <Button look="quiet" data-testid={`cause-${id}`} aria-expanded={open} onClick={() => setOpen(!open)}>
        {t("memory.cause")}
      </Button>
      {open && <Record id={id} />}
    </div>
  );
}

function Record({ id }: { id: string }) {
  const record = useRows("reviews", "get_record", { id });
  return (
    <Rows query={record} what={t("memory.cause")}>
      {({ rows: { at, role, origin, content, cause } }) => (
        <>
          <p className={styles.meta}>
            <span className={styles.role}>{t(`episode_role.${role}`)}</span>
            <time dateTime={at}>{formatMoment(Date.parse(at))}</time>
            <span>{origin}</span>
          </p>
          <p className={styles.content}>{content}</p>
          {cause !== null && <Cause id={cause} />}
        </>
      )}
    </Rows>
  );
}
