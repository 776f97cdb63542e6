import type { KeyboardEvent } from "react";
import { Link, useLocation } from "wouter";
import { SelectField } from "../../design/fields/SelectField";
import { t } from "../../locales/i18n";
import styles from "./AdminNav.module.css";
import { type Section, SECTION_ICONS, SECTIONS } from "./sections";

/**
 * The sections of Admin as a list beside the one that is shown, or as a choice above it where there is no room. The list
 * is one stop of Tab; arrows, Home and End go through it.
 */
export function AdminNav({ shown }: { shown: Section }) {
  const [, navigate] = useLocation();
  return (
    <nav className={styles.nav} aria-label={t("settings.sections")}>
      <h1 className={styles.title}>{t("nav.admin")}</h1>
      <ul className={styles.list} onKeyDown={stepFocus} data-testid="admin-sections">
        {SECTIONS.map((section) => {
          const Icon = SECTION_ICONS[section];
          const here = section === shown;
          return (
            <li key={section}>
              <Link
                href={`/admin/${section}`}
                className={styles.link ?? ""}
                aria-current={here ? "page" : undefined}
                tabIndex={here ? 0 : -1}
              >
                <Icon aria-hidden="true" className={styles.icon ?? ""} />
                {t(`settings.${section}`)}
              </Link>
            </li>
          );
        })}
      </ul>
      <div className={styles.choice}>
        <SelectField
          label={t("settings.section")}
          value={shown}
          options={SECTIONS.map((value) => ({ value, text: t(`settings.${value}`) }))}
          problem={null}
          onChange={(section) => navigate(`/admin/${section}`)}
        />
      </div>
    </nav>
  );
}

function stepFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll("a")];
  const here = links.findIndex((link) => link === document.activeElement);
  const next = nextOf(event.key, here, links.length);
  // Keys pressed while no link has the focus scroll the page.
  if (here === -1 || next === null) return;
  event.preventDefault();
  links[next]?.focus();
}

/** The place of the link that a key leads to; the ends meet. */
function nextOf(key: string, here: number, count: number): number | null {
  switch (key) {
    case "ArrowDown":
      return (here + 1) % count;
    case "ArrowUp":
      return (here - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
