import { lazy } from "react";
import { LazyPart } from "../../design/components/LazyPart";
import type { NamedText } from "../../design/editor/TextCompare";
import { t } from "../../locales/i18n";

// The editor's library is larger than the rest of this screen.
const TextCompare = lazy(() =>
  import("../../design/editor/TextCompare").then((module) => ({ default: module.TextCompare })),
);

/** Two texts of a mission side by side, loaded once somebody looks at them. */
export function MissionCompare(texts: { before: NamedText; after: NamedText }) {
  return (
    <LazyPart wait={t("common.loading", { what: t("missions.text") })}>
      <TextCompare {...texts} />
    </LazyPart>
  );
}
