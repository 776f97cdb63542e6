import { useState } from "react";
import type { Find } from "../../../generated/bindings/Find";
import type { ScanReport } from "../../../generated/bindings/ScanReport";
import { useOperation } from "../../../domain/station/useOperation";
import { FindForm } from "./FindForm";
import { FindList } from "./FindList";
import { ScanForm } from "./ScanForm";

/** From a scan to a robot: places to look at, finds, fields, files, pairing. */
export function FindRobot() {
  const [report, setReport] = useState<ScanReport | null>(null);
  const [chosen, setChosen] = useState<Find | null>(null);
  const scan = useOperation("scan_robots");
  if (chosen !== null) return <FindForm key={chosen.id} find={chosen} onBack={() => setChosen(null)} />;
  return (
    <>
      <ScanForm scan={scan} onReport={setReport} onStart={() => setReport(null)} />
      {report !== null && <FindList report={report} onChoose={setChosen} />}
    </>
  );
}
