import { lazy } from "react";
import { LazyPart } from "../components/LazyPart";
import styles from "./Markdown.module.css";

const MarkdownBlocks = lazy(() => import("./MarkdownBlocks").then((module) => ({ default: module.MarkdownBlocks })));

/**
 * Words of a model: no HTML, no picture from anywhere, and links that ask (U-904). Never for text from elsewhere
 * (U-903). Until the reader of markdown is there, the words stand as they came.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <LazyPart wait={text} className={styles.plain}>
      <MarkdownBlocks text={text} />
    </LazyPart>
  );
}
