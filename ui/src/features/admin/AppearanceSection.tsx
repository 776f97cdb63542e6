import { SoundSwitch } from "../../domain/alarm/SoundSwitch";
import { Button } from "../../design/components/Button";
import { Segments } from "../../design/components/Segments";
import { Panel } from "../../design/layout/Panel";
import { resetLayout } from "../../design/layout/split-memory";
import { CONTRASTS, THEMES, useContrast, useTheme } from "../../host/appearance";
import { LANGUAGE_CHOICES, useLanguageChoice } from "../../host/language";
import { t } from "../../locales/i18n";
import styles from "./AppearanceSection.module.css";

/** Language, colours, contrast, sound and sizes of this desk. All of it takes effect at once, and is kept on this computer. */
export function AppearanceSection() {
  const [theme, setTheme] = useTheme();
  const [contrast, setContrast] = useContrast();
  const [language, setLanguage] = useLanguageChoice();
  return (
    <Panel title={t("appearance.title")}>
      <p className={styles.hint}>{t("appearance.hint")}</p>
      <dl className={styles.choices} data-testid="appearance">
        <div>
          <dt>{t("appearance.language")}</dt>
          <dd>
            <Segments
              label={t("appearance.language")}
              value={language}
              options={LANGUAGE_CHOICES.map((value) => ({ value, text: t(`appearance.language_${value}`) }))}
              onChange={setLanguage}
            />
          </dd>
        </div>
        <div>
          <dt>{t("appearance.theme")}</dt>
          <dd>
            <Segments
              label={t("appearance.theme")}
              value={theme}
              options={THEMES.map((value) => ({ value, text: t(`appearance.theme_${value}`) }))}
              onChange={setTheme}
            />
          </dd>
        </div>
        <div>
          <dt>{t("appearance.contrast")}</dt>
          <dd>
            <Segments
              label={t("appearance.contrast")}
              value={contrast}
              options={CONTRASTS.map((value) => ({ value, text: t(`appearance.contrast_${value}`) }))}
              onChange={setContrast}
            />
          </dd>
        </div>
        <div>
          <dt>{t("appearance.sound")}</dt>
          <dd>
            <SoundSwitch />
          </dd>
        </div>
        <div>
          <dt>{t("appearance.layout")}</dt>
          <dd>
            <Button data-testid="reset-layout" onClick={resetLayout}>
              {t("appearance.reset_layout")}
            </Button>
          </dd>
        </div>
      </dl>
    </Panel>
  );
}
