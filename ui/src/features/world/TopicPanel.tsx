import { Link } from "wouter";
import type { TopicRow } from "../../generated/bindings/TopicRow";
import { Panel } from "../../design/layout/Panel";
import table from "../../design/components/table.module.css";
import { formatNumber } from "../../design/format/numbers";
import { t } from "../../locales/i18n";
import entry from "./EntryPanel.module.css";
import { indented } from "./indented";
import { rosTopic } from "./ros-topic";
import styles from "./Topics.module.css";
import { providerPath } from "./world-place";

/** Newest sample of a topic, and the way to a provider of it. */
export function TopicPanel({ topic }: { topic: TopicRow }) {
  const ros = rosTopic(topic.key_expr);
  return (
    <Panel
      title={ros?.name ?? topic.key_expr}
      aside={<Link href={providerPath("new", topic.key_expr)}>{t("topics.make_provider")}</Link>}
    >
      <div className={styles.topic} data-testid="topic">
        {ros && (
          <p>
            {t("topics.ros2_message", { message: ros.message, domain: ros.domain })}
            <code className={styles.key}>{topic.key_expr}</code>
          </p>
        )}
        <p className={entry.muted}>
          {t("topics.read_as", {
            form: topic.form === "ros2" ? t("topics.ros2") : topic.form,
            bytes: t("topics.size", { count: topic.bytes, shown: formatNumber(topic.bytes, 0) }),
            samples: t("topics.samples", { count: topic.samples, shown: formatNumber(topic.samples, 0) }),
          })}
        </p>
        {topic.looks_like !== null && (
          <p data-testid="topic-looks-like">{t("topics.looks_like", { like: topic.looks_like })}</p>
        )}
        {topic.too_large > 0 && (
          <p data-testid="topic-too-large">{t("topics.too_large", { count: topic.too_large })}</p>
        )}
        {topic.fields.length === 0 ? (
          <p className={entry.muted}>{t("topics.no_fields")}</p>
        ) : (
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">{t("topics.path")}</th>
                <th scope="col">{t("topics.kind")}</th>
                <th scope="col">{t("topics.example")}</th>
              </tr>
            </thead>
            <tbody>
              {topic.fields.map((field) => (
                <tr key={field.path}>
                  <th scope="row" className={table.key}>
                    {field.path}
                  </th>
                  <td>{field.kind}</td>
                  <td className={`${table.key} ${table.wrap} ${entry.text}`}>
                    {field.example === null ? "" : String(field.example)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <pre className={entry.sample} tabIndex={0} data-testid="topic-sample">
          {indented(topic.last)}
          {topic.cut && "…"}
        </pre>
      </div>
    </Panel>
  );
}
