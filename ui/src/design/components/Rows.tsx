import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { toHostError } from "../../host/host";
import { askAnew } from "../../host/query";
import { errorSentence, t } from "../../locales/i18n";
import { formatWholeAge } from "../format/time";
import { Button } from "./Button";
import { Notice } from "./Notice";
import styles from "./Rows.module.css";

/** A quick answer should not flash a sentence that nobody can read. */
const SAY_LOADING_MS = 300;
/** After this the operator should know that waiting is not their fault. */
const SAY_SLOW_MS = 5_000;
/** Ages are counted in whole seconds. */
const AGE_EVERY_MS = 1_000;

type RowsProps<Data> = { query: UseQueryResult<Data>; what: string; children: (data: Data) => ReactNode };

/** Shows `children` once there are rows, and before that what is going on (U-210). */
export function Rows<Data>({ query, what, children }: RowsProps<Data>) {
  const client = useQueryClient();
  const { waited, wait } = useWaited(query.isPending);
  const { data, refetch } = query;
  const retry = () => {
    wait();
    askAnew(client, refetch);
  };

  if (data !== undefined) {
    return (
      <>
        {query.isRefetchError && (
          <Older
            what={what}
            read_ms={query.dataUpdatedAt}
            thrown={query.error}
            onRetry={() => askAnew(client, refetch)}
          />
        )}
        {children(data)}
      </>
    );
  }
  // The same button in every sentence: the focus stays on it.
  const button = (
    <Button disabled={waited === "again"} onClick={retry}>
      {t("common.retry")}
    </Button>
  );
  if (query.isError) {
    const error = toHostError(query.error);
    return (
      <Notice
        title={errorSentence(error.code, error.message, error.details)}
        detail={t("common.code", { code: error.code })}
      >
        {button}
      </Notice>
    );
  }
  switch (waited) {
    case "moment":
      return null;
    case "while":
      return <Notice title={t("common.loading", { what })} />;
    case "again":
      return <Notice title={t("common.loading", { what })}>{button}</Notice>;
    case "long":
      return <Notice title={t("common.slow")}>{button}</Notice>;
  }
}

/** The time that the operator has been waiting; it begins anew with `wait`, the press on Retry. */
function useWaited(waiting: boolean) {
  const [waited, setWaited] = useState<"moment" | "while" | "again" | "long">("moment");
  const [tries, setTries] = useState(0);

  // Synchronises with the clock.
  useEffect(() => {
    if (!waiting) return;
    // After a press on Retry the words are there at once.
    const say = tries > 0 ? undefined : setTimeout(() => setWaited("while"), SAY_LOADING_MS);
    const slow = setTimeout(() => setWaited("long"), SAY_SLOW_MS);
    return () => {
      clearTimeout(say);
      clearTimeout(slow);
    };
  }, [waiting, tries]);

  // Synchronises with the end of the waiting: the next one begins without words.
  useEffect(() => {
    if (waiting) return;
    setWaited("moment");
    setTries(0);
  }, [waiting]);

  const wait = () => {
    setWaited("again");
    setTries((before) => before + 1);
  };
  return { waited, wait };
}

type OlderProps = { what: string; read_ms: number; thrown: unknown; onRetry: () => void };

/** Above rows whose newest reading failed: what is shown is of an earlier one. */
function Older({ what, read_ms, thrown, onRetry }: OlderProps) {
  const [age_ms, setAge] = useState(() => Date.now() - read_ms);

  // Synchronises with the clock.
  useEffect(() => {
    const timer = setInterval(() => setAge(Date.now() - read_ms), AGE_EVERY_MS);
    return () => clearInterval(timer);
  }, [read_ms]);

  const error = toHostError(thrown);
  return (
    <div className={styles.older} data-testid="rows-older">
      <strong>{t("common.older", { what, age: formatWholeAge(age_ms) })}</strong>
      <span>{errorSentence(error.code, error.message, error.details)}</span>
      <Button size="row" onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </div>
  );
}
