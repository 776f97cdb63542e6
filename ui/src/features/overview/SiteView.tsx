import { Link } from "wouter";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Toolbar } from "../../design/components/Toolbar";
import { t } from "../../locales/i18n";
import { Scene } from "../../domain/scene/flat/Scene";
import { sceneSentences } from "../../domain/scene/flat/twin";
import { useSceneModel } from "../../domain/scene/flat/useSceneModel";
import styles from "./SiteView.module.css";

/** The site from above; its facts as text for those who do not see it. */
export function SiteView({ robots }: { robots: readonly RobotRow[] }) {
  const model = useSceneModel(robots);
  return (
    <section className={styles.site} aria-label={t("overview.site")}>
      <Toolbar title={t("overview.site")} state={t("overview.in_frame", { frame: model.frame })}>
        <Link href="/world" className={styles.more}>
          {t("overview.open_world")}
        </Link>
      </Toolbar>
      <div className={styles.scene}>
        <Scene model={model} side="top" focus={null} />
      </div>
      <ul className="visually-hidden">
        {sceneSentences(model).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}
