import { useEffect, useRef, useState } from "react";
import type { Find } from "../../../generated/bindings/Find";
import type { ScanReport } from "../../../generated/bindings/ScanReport";
import { useStation } from "../../../domain/station/station-context";
import { useOperation } from "../../../domain/station/useOperation";
import { operation } from "../../../host/operations";
import { type ScanPlaces, type Setup, setupOf } from "./find-draft";
import { FindForm } from "./FindForm";
import { FindList } from "./FindList";
import { ScanForm } from "./ScanForm";

/**
 * From a scan to a robot: places to look at, finds, fields, files, pairing. What was typed for each of them is there for
 * as long as the page is open.
 */
export function FindRobot() {
  const [places, setPlaces] = useState<ScanPlaces>({ domains: "0", routers: "" });
  const [report, setReport] = useState<ScanReport | null>(null);
  const [chosen, setChosen] = useState<Find | null>(null);
  const [setups, setSetups] = useState<ReadonlyMap<string, Setup>>(new Map());
  // Kept here, because the form of a find takes the place of the scan's own form.
  const scan = useOperation("scan_robots");
  useScanEnd(scan.pending);
  const keep = (id: string, setup: Setup) => setSetups(new Map(setups).set(id, setup));
  const choose = (find: Find) => {
    keep(find.id, setupOf(find, setups.get(find.id)));
    setChosen(find);
  };
  const setup = chosen === null ? undefined : setups.get(chosen.id);
  if (chosen !== null && setup !== undefined) {
    const { id } = chosen;
    return (
      <FindForm
        key={id}
        find={chosen}
        setup={setup}
        onSetup={(next) => keep(id, next)}
        onBack={() => setChosen(null)}
      />
    );
  }
  return (
    <>
      <ScanForm scan={scan} places={places} onPlaces={setPlaces} onReport={setReport} onStart={() => setReport(null)} />
      {report !== null && <FindList report={report} onChoose={choose} />}
    </>
  );
}

/** Ends the scan with the page: nobody could see its report any more, or cancel it. */
function useScanEnd(isScanning: boolean): void {
  const { host } = useStation();
  const newest = useRef(isScanning);

  // Synchronises with the newest state of the scan, which the page's end has to know.
  useEffect(() => {
    newest.current = isScanning;
  }, [isScanning]);

  // Synchronises with the station's scanner.
  useEffect(
    () => () => {
      // A refusal can be told nowhere; the scan ends by itself.
      if (newest.current) void operation(host, "cancel_scan", {}).catch(() => undefined);
    },
    [host],
  );
}
