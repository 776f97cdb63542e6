import { describe, expect, it } from "vitest";
import { inGerman } from "../testing/german";
import { errorSaid } from "./i18n";

describe("U-2006 numbers in what the station says", () => {
  inGerman();
  it("have the decimal mark of the window, and every digit", () => {
    const details = { field: "max_age_secs", min: 0.05, max: 86_400 };
    expect(errorSaid("out_of_range", "Out.", details).text).toBe("max_age_secs muss zwischen 0,05 und 86400 liegen.");
  });
});
