import { useLocation } from "wouter";
import { AdminGrant } from "../../domain/station/AdminGrant";
import screen from "../../design/layout/screen.module.css";
import { Segments } from "../../design/components/Segments";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./Memory.module.css";
import { NoteList } from "./NoteList";
import { Notes } from "./Notes";
import { Reviews } from "./Reviews";
import { Search } from "./Search";

/**
 * The agent's memory: a search, records that wait for review, and notes. `view` and the `words` looked for come from
 * the address.
 */
export function Memory({ view, words }: { view: string | undefined; words: string | undefined }) {
  const reviews = useRows("reviews", "list_memory_reviews", {});
  const [, navigate] = useLocation();
  const shown = view === "reviews" || view === "notes" ? view : "search";
  return (
    <div className={`${screen.screen} ${styles.memory}`}>
      <header className={screen.head}>
        <h1 className={screen.title}>{t("nav.memory")}</h1>
        <Segments
          label={t("memory.views")}
          value={shown}
          options={[
            { value: "search", text: t("memory.search") },
            { value: "reviews", text: t("memory.reviews", { count: reviews.data?.rows.length ?? 0 }) },
            { value: "notes", text: t("memory.notes") },
          ]}
          onChange={(next) => navigate(next === "search" ? "/memory" : `/memory/${next}`)}
        />
        <div className={screen.end}>
          <AdminGrant />
        </div>
      </header>
      {shown === "search" && <Search key={words} words={words ?? ""} />}
      {shown === "reviews" && <Reviews reviews={reviews} />}
      {shown === "notes" && (
        <>
          <Notes />
          <NoteList />
        </>
      )}
    </div>
  );
}
