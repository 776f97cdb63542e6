import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ManifestFault } from "../../generated/bindings/ManifestFault";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { manifestFaults } from "./manifest-faults";

/** A fault without a German sentence does not compile. */
const FAULTS: Readonly<Record<ManifestFault["code"], string>> = de.manifest_fault;

const said = (fault: ManifestFault) => manifestFaults({ errors: ["In English."], faults: [fault] });

describe("U-2006 why a manifest is refused, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("names the place, with the station's own words as the detail", () => {
    expect(said({ code: "syntax", line: 4, message: "expected `=`" })).toEqual([
      { text: "Das Manifest ist ab Zeile 4 nicht lesbar", more: "In English." },
    ]);
    expect(said({ code: "value", key: "body.radius_m", expected: "above 0" })).toEqual([
      { text: "Der Wert von body.radius_m ist nicht zulässig", more: "In English." },
    ]);
    expect(said({ code: "limits", message: "" })).toEqual([{ text: FAULTS.limits, more: "In English." }]);
  });

  it("is a whole sentence where the code says everything", () =>
    expect(said({ code: "too_many_robots", most: 128 })).toEqual([
      { text: "Eine Station nimmt höchstens 128 Roboter auf", more: null },
    ]));

  it("is the station's own for a fault without a code", () => {
    expect(manifestFaults({ errors: ["In English."] })).toEqual([{ text: "In English.", more: null }]);
    expect(manifestFaults({ errors: [] })).toEqual([]);
  });
});

it("U-2006 in English the station's own sentence stands", () =>
  expect(said({ code: "too_many_robots", most: 128 })).toEqual([{ text: "In English.", more: null }]));
