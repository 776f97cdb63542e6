import { useId } from "react";
import type { TopicRow } from "../../generated/bindings/TopicRow";
import table from "../../design/components/table.module.css";
import fields from "../../design/fields/fields.module.css";
import forms from "../../design/fields/forms.module.css";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { type Use, usesOf } from "./provider-draft";
import entry from "./EntryPanel.module.css";
import styles from "./Providers.module.css";
import { topicName } from "./ros-topic";
import { topicOf } from "./topic-of";
import { useWatchedTopic } from "./useWatchedTopic";

type SamplePickerProps = {
  pattern: string;
  onTopic: (pattern: string) => void;
  onPick: (path: string, example: unknown, use: Use) => void;
};

/** Choice of a topic, and the fields of its newest sample: each field can be put to a use. */
export function SamplePicker({ pattern, onTopic, onPick }: SamplePickerProps) {
  const id = useId();
  const topics = useRows("world", "list_topics", {});
  const rows = topics.data?.rows ?? [];
  const heard = topicOf(rows, pattern);
  const watched = useWatchedTopic(pattern, heard === null && topics.isSuccess);
  const topic = heard ?? watched.topic;
  return (
    <>
      <div className={fields.field}>
        <label htmlFor={id}>{t("provider_field.topic_pattern")}</label>
        <input
          id={id}
          type="text"
          list={`${id}-topics`}
          autoComplete="off"
          spellCheck={false}
          className={fields.text}
          data-testid="provider-topic_pattern"
          value={pattern}
          onChange={(event) => onTopic(event.target.value)}
        />
        <datalist id={`${id}-topics`}>
          {rows.map(({ key_expr }) => (
            <option key={key_expr} value={key_expr} label={topicName(key_expr)} />
          ))}
        </datalist>
      </div>
      {topic ? (
        <Fields topic={topic} onPick={onPick} />
      ) : (
        <p className={forms.hint}>{t(watched.listening ? "provider_form.listening" : "provider_form.no_topic")}</p>
      )}
    </>
  );
}

function Fields({ topic, onPick }: { topic: TopicRow; onPick: SamplePickerProps["onPick"] }) {
  return (
    <section className={styles.sample}>
      <p className={forms.hint}>{t("provider_form.sample_of", { topic: topicName(topic.key_expr) })}</p>
      <table className={table.table} data-testid="sample-fields">
        <thead>
          <tr>
            <th scope="col">{t("topics.path")}</th>
            <th scope="col">{t("topics.example")}</th>
            <th scope="col">{t("provider_form.use_as")}</th>
          </tr>
        </thead>
        <tbody>
          {topic.fields
            .filter(({ example }) => example !== null)
            .map(({ path, example }) => (
              <tr key={path}>
                <th scope="row" className={table.key}>
                  {path}
                </th>
                <td className={`${table.key} ${table.wrap} ${entry.text}`}>{String(example)}</td>
                <td>
                  <span className={styles.uses}>
                    {usesOf(example).map((use) => (
                      <button
                        key={use}
                        type="button"
                        className={styles.use}
                        aria-label={t("provider_form.use_name", { path, use: t(`provider_use.${use}`) })}
                        onClick={() => onPick(path, example, use)}
                      >
                        {t(`provider_use.${use}`)}
                      </button>
                    ))}
                  </span>
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
