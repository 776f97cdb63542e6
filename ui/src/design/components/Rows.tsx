import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { toHostError } from "../../host/host";
import { errorSentence, t } from "../../locales/i18n";
import { Button } from "./Button";
import { Notice } from "./Notice";

/** A quick answer should not flash a sentence that nobody can read. */
const SAY_LOADING_MS = 300;
/** After this the operator should know that waiting is not their fault. */
const SAY_SLOW_MS = 5_000;

/** Shows `children` once there are rows, and before that what is going on (U-210). */
export function Rows<Data>({
  query,
  what,
  children,
}: {
  query: UseQueryResult<Data>;
  what: string;
  children: (data: Data) => ReactNode;
}) {
  const [waited, setWaited] = useState<"moment" | "while" | "long">("moment");
  const waiting = query.isPending;

  // Synchronises with the clock: how long the operator has been waiting.
  useEffect(() => {
    setWaited("moment");
    if (!waiting) return;
    const say = setTimeout(() => setWaited("while"), SAY_LOADING_MS);
    const slow = setTimeout(() => setWaited("long"), SAY_SLOW_MS);
    return () => {
      clearTimeout(say);
      clearTimeout(slow);
    };
  }, [waiting]);

  if (query.data !== undefined) return children(query.data);
  const retry = <Button onClick={() => void query.refetch()}>{t("common.retry")}</Button>;
  if (query.isError) {
    const error = toHostError(query.error);
    return (
      <Notice
        title={errorSentence(error.code, error.message, error.details)}
        detail={t("common.code", { code: error.code })}
      >
        {retry}
      </Notice>
    );
  }
  if (waited === "moment") return null;
  if (waited === "while") return <Notice title={t("common.loading", { what })} />;
  return <Notice title={t("common.slow")}>{retry}</Notice>;
}
