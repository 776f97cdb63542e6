import { type ComponentProps, memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { t } from "../../locales/i18n";
import { blocksOf } from "./blocks";
import { LinkAsked } from "./LinkAsked";
import styles from "./Markdown.module.css";

/**
 * Words of a model: no HTML, no picture from anywhere, and links that ask (U-904). Never for text from elsewhere
 * (U-903).
 */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={styles.markdown}>
      {blocksOf(text).map((block, place) => (
        <Block key={place} text={block} />
      ))}
    </div>
  );
}

// Made once: another list with each rendering would have the reader set up again.
const PLUGINS = { remark: [remarkGfm], rehype: [rehypeSanitize] };

const COMPONENTS: Components = {
  a: ({ href, children }) => <LinkAsked href={href ?? ""}>{children}</LinkAsked>,
  img: ({ alt }) => <em>{t("markdown.picture", { alt: alt ?? "" })}</em>,
  table: ({ children }: ComponentProps<"table">) => (
    <div className={styles.scroll} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }: ComponentProps<"pre">) => <pre tabIndex={0}>{children}</pre>,
};

// By hand: the compiler keeps no element of a list, and reading markdown again for each piece of a reply would not be
// done in time (U-2609).
const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown skipHtml remarkPlugins={PLUGINS.remark} rehypePlugins={PLUGINS.rehype} components={COMPONENTS}>
      {text}
    </ReactMarkdown>
  );
});
