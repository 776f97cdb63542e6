import { useState } from "react";
import type { MemoryHit } from "../../generated/bindings/MemoryHit";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { formatMoment } from "../../design/format/time";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { t } from "../../locales/i18n";
import { Cause } from "./Cause";
import { ForgetPanel } from "./ForgetPanel";
import { pieces, termsOf } from "./highlight";
import styles from "./Memory.module.css";

type HitsProps = {
  hits: readonly MemoryHit[];
  partial: boolean;
  keywordOnly: boolean;
  query: string;
  onForgotten: () => void;
};

/** The marked records, or the words that were looked for, wherever they stand. */
type Forgetting = "marked" | "words";

/** Records found, best first; an Admin marks those to be forgotten. */
export function Hits({ hits, partial, keywordOnly, query, onForgotten }: HitsProps) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [forgetting, setForgetting] = useState<Forgetting | null>(null);
  const admin = useAdminRefusal();
  const close = () => setForgetting(null);
  const forgotten = () => {
    setMarked(new Set());
    onForgotten();
  };
  const toggle = (id: string) =>
    setMarked(marked.has(id) ? new Set([...marked].filter((other) => other !== id)) : new Set(marked).add(id));
  return (
    <>
      <Panel
        title={t("memory.found_count", { count: hits.length })}
        aside={
          <ForgetButtons
            admin={admin}
            forgetting={forgetting}
            marked={hits.length > 0 ? marked.size : null}
            onForget={(what) => setForgetting(forgetting === what ? null : what)}
          />
        }
      >
        {partial && (
          <p className={styles.partial} role="status">
            {t("memory.partial")}
          </p>
        )}
        {keywordOnly && (
          <p className={styles.partial} data-testid="keyword-only">
            {t("memory.keyword_only")}
          </p>
        )}
        {hits.length === 0 && <Notice title={t("memory.nothing")} detail={t("memory.nothing_detail")} />}
        <ul className={styles.hits} data-testid="hits">
          {hits.map((hit) => (
            <Hit
              key={hit.id}
              hit={hit}
              query={query}
              marked={marked.has(hit.id)}
              markable={admin === null}
              onMark={() => toggle(hit.id)}
            />
          ))}
        </ul>
      </Panel>
      {forgetting === "words" && (
        <ForgetPanel
          title={t("memory.forget_words_title", { words: query })}
          what={{ query }}
          onClose={close}
          onForgotten={forgotten}
        />
      )}
      {forgetting === "marked" && (
        <ForgetPanel title={t("memory.forget")} what={{ ids: [...marked] }} onClose={close} onForgotten={forgotten} />
      )}
    </>
  );
}

type ForgetButtonsProps = {
  admin: string | null;
  forgetting: Forgetting | null;
  /** The number of marked records; null where none can be marked. */
  marked: number | null;
  onForget: (what: Forgetting) => void;
};

function ForgetButtons({ admin, forgetting, marked, onForget }: ForgetButtonsProps) {
  return (
    <>
      {admin !== null && <span>{t("memory.forget_needs", { why: admin })}</span>}
      <Button
        data-testid="memory-forget-words"
        aria-expanded={forgetting === "words"}
        disabled={admin !== null}
        onClick={() => onForget("words")}
      >
        {t("memory.forget_words")}
      </Button>
      {marked !== null && (
        <Button
          data-testid="memory-forget"
          aria-expanded={forgetting === "marked"}
          disabled={admin !== null || marked === 0}
          onClick={() => onForget("marked")}
        >
          {t("memory.forget_marked", { count: marked })}
        </Button>
      )}
    </>
  );
}

type HitProps = { hit: MemoryHit; query: string; marked: boolean; markable: boolean; onMark: () => void };

function Hit({ hit, query, marked, markable, onMark }: HitProps) {
  const terms = termsOf(query);
  return (
    <li className={styles.hit}>
      <input
        type="checkbox"
        aria-label={t("memory.mark", { when: formatMoment(Date.parse(hit.at)) })}
        checked={marked}
        disabled={!markable}
        onChange={onMark}
      />
      <div>
        <p className={styles.meta}>
          <span className={styles.role}>{t(`episode_role.${hit.role}`)}</span>
          <time dateTime={hit.at}>{formatMoment(Date.parse(hit.at))}</time>
          <span>{hit.origin}</span>
          {hit.mission !== null && <span>{hit.mission}</span>}
          <span>{t(`memory_trust.${hit.trust}`)}</span>
        </p>
        <p className={styles.content}>
          {pieces(hit.content, terms).map((piece, place) =>
            piece.hit ? <mark key={place}>{piece.text}</mark> : <span key={place}>{piece.text}</span>,
          )}
        </p>
        {hit.cause !== null && <Cause id={hit.cause} />}
      </div>
    </li>
  );
}
