import { CircleX, TriangleAlert } from "lucide-react";
import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { t } from "../../locales/i18n";

/** An error or a warning, as a sign and as a word that is only heard. */
export function SeverityMark({ severity }: { severity: MissionProblem["severity"] }) {
  return (
    <>
      {severity === "error" ? <CircleX aria-hidden="true" /> : <TriangleAlert aria-hidden="true" />}
      <span className="visually-hidden">{t(`missions.severity_${severity}`)}</span>
    </>
  );
}
