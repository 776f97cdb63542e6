import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./Missions.module.css";

/** The name of an agent among the authors of texts. */
const AGENT = "agent";

/** The mark of a draft that an agent has written, until a person saves or activates it (ME-05). */
export function DraftAuthor({ mission }: { mission: MissionDetail }) {
  const { id, status, flags, hash, activated_hash } = mission;
  // The file of any other mission is what was activated.
  const isDraft = (status === "draft" || flags.includes("draft")) && hash !== null && hash !== activated_hash;
  const told = useRows("missions", "mission_history", { mission_id: id, limit: 1 }, isDraft);
  const version = told.data?.rows.versions.find((one) => one.hash === hash);
  if (!isDraft || version?.author !== AGENT || version.was_activated) return null;
  return (
    <p className={styles.hint} data-testid="draft-author">
      {t("missions.by_agent")}
    </p>
  );
}
