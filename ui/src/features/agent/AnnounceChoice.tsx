import { Choice } from "../../design/components/Choice";
import { t } from "../../locales/i18n";
import { chooseAnnouncing, useAnnouncing } from "./announcing";
import styles from "./Conversations.module.css";

/** What a screen reader is told of a reply, and when. */
export function AnnounceChoice() {
  const announcing = useAnnouncing();
  return (
    <div className={styles.announce}>
      <span className={styles.meta}>{t("announce.title")}</span>
      <Choice
        label={t("announce.title")}
        value={announcing}
        options={[
          { value: "sentences", text: t("announce.sentences") },
          { value: "replies", text: t("announce.replies") },
        ]}
        onChange={chooseAnnouncing}
      />
    </div>
  );
}
