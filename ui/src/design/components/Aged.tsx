import { Clock } from "lucide-react";
import type { ReactNode } from "react";
import { formatClockAgo } from "../format/time";
import type { Freshness } from "../format/freshness";
import { t } from "../../locales/i18n";
import styles from "./Aged.module.css";

type AgedProps = {
  state: Freshness;
  /** Age as text. */
  age: string;
  origin?: "measured" | "estimated" | "replay" | undefined;
  /** Age in ms; says at what time of day a lost value was seen. */
  age_ms?: number | null;
  /** True if the age is also shown while the value is live. */
  showAge?: boolean;
  children: ReactNode;
};

/** A value and what its age says about it: the only way a live value gets on screen (U-102). */
export function Aged({ state, age, origin = "measured", age_ms, showAge = false, children }: AgedProps) {
  return (
    <span className={styles.aged} data-freshness={state}>
      <Body state={state} age={age} age_ms={age_ms ?? null} showAge={showAge}>
        {origin === "measured" ? children : <em>{children}</em>}
      </Body>
      {origin !== "measured" && <span className={styles.origin}>{t(`origin.${origin}`)}</span>}
    </span>
  );
}

type BodyProps = { state: Freshness; age: string; age_ms: number | null; showAge: boolean; children: ReactNode };

function Body({ state, age, age_ms, showAge, children }: BodyProps) {
  switch (state) {
    case "never":
      return <span className={styles.muted}>{t("freshness.never")}</span>;
    case "lost":
      return (
        <span className={styles.hatched}>
          — ({t("freshness.was")}{" "}
          <span className={styles.kept}>
            <i>{children}</i>
            {age_ms !== null && Number.isFinite(age_ms) && `, ${formatClockAgo(age_ms)}`})
          </span>
        </span>
      );
    case "stale":
      return (
        <span className={styles.hatched}>
          {children} <small>{t("freshness.old", { age })}</small>
        </span>
      );
    case "aging":
      return (
        <>
          {children}
          <small className={styles.aging}>
            <Clock aria-hidden="true" className={styles.clock} /> {age}
          </small>
        </>
      );
    case "live":
      return (
        <>
          {children}
          {showAge && <small className={styles.muted}>{age}</small>}
        </>
      );
  }
}
