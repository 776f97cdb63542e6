import { type ReactNode, useRef, useState } from "react";
import { Button } from "../components/Button";
import { t } from "../../locales/i18n";
import styles from "./Markdown.module.css";

/** A link of a model: it shows where it leads and opens only after it was asked twice (U-904). */
export function LinkAsked({ href, children }: { href: string; children: ReactNode }) {
  const [asked, setAsked] = useState(false);
  const link = useRef<HTMLButtonElement>(null);
  const close = () => {
    setAsked(false);
    // What had the focus goes with the question.
    link.current?.focus();
  };
  const host = hostOf(href);
  if (host === null) return <span>{children}</span>;
  return (
    <>
      <button ref={link} type="button" className={styles.link} aria-expanded={asked} onClick={() => setAsked(!asked)}>
        {children}
      </button>{" "}
      <small className={styles.host}>({host})</small>
      {asked && (
        <span className={styles.ask} role="group" aria-label={t("markdown.open", { host })}>
          <code className={styles.address}>{href}</code>
          <a className={styles.open} href={href} target="_blank" rel="noreferrer noopener" onClick={close}>
            {t("markdown.open", { host })}
          </a>
          <Button look="quiet" onClick={close}>
            {t("safety.cancel")}
          </Button>
        </span>
      )}
    </>
  );
}

/** Host of a web link; null for a link of any other kind. */
function hostOf(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const { protocol, host } = new URL(href);
  // Anything else could run in the window or open another program.
  return protocol === "https:" || protocol === "http:" ? host : null;
}
