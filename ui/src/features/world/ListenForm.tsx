import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Tag } from "../../generated/bindings/Tag";
import { Button } from "../../design/components/Button";
import { errorSentence, t } from "../../locales/i18n";
import { useOperation } from "../../domain/station/useOperation";
import styles from "./ListenForm.module.css";
import filter from "./StatePanel.module.css";
import { topicPath } from "./world-place";

const OUTDATED: Tag = "world";
/** Longest wait of the station for a first sample, seconds. */
const WAIT_SECS = 2;

/** Listens for a while to a key expression that no provider has asked for. */
export function ListenForm() {
  const listen = useOperation("watch_topic");
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [pattern, setPattern] = useState("");
  const [silent, setSilent] = useState<string | null>(null);
  const submit = () => {
    const key_expr = pattern.trim();
    listen.run({ key_expr, wait_secs: WAIT_SECS }, (topics) => {
      const [first] = topics;
      setSilent(first === undefined ? key_expr : null);
      // Nothing announces a new topic, and the list has to show it at once.
      void queries.invalidateQueries({ queryKey: [OUTDATED, "list_topics"] });
      if (first) navigate(topicPath(first.key_expr));
    });
  };
  const told = listen.error
    ? errorSentence(listen.error.code, listen.error.message, listen.error.details)
    : // The field may have another pattern by now than the one that was listened to.
      silent === pattern.trim()
      ? t("topics.silent")
      : "";
  return (
    <form
      className={styles.listen}
      onSubmit={(event) => {
        event.preventDefault();
        if (pattern.trim() !== "" && !listen.pending) submit();
      }}
    >
      <span role="status" className={styles.told}>
        {told}
      </span>
      <input
        type="text"
        className={filter.filter}
        data-testid="listen-pattern"
        aria-label={t("topics.listen_to")}
        placeholder={t("topics.key_expr")}
        value={pattern}
        onChange={(event) => {
          setPattern(event.target.value);
          setSilent(null);
          listen.forget();
        }}
      />
      <Button type="submit" data-testid="listen" disabled={pattern.trim() === "" || listen.pending}>
        {t(listen.pending ? "topics.listening" : "topics.listen")}
      </Button>
    </form>
  );
}
