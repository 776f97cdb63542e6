import { afterEach, describe, expect, it } from "vitest";
import { errorSaid, speak } from "./i18n";

const DETAILS = { field: "max_age_secs", min: 0.05, max: 86_400 };
const said = () => errorSaid("out_of_range", "Out.", DETAILS).text;

describe("U-2006 numbers in what the station says", () => {
  afterEach(() => speak("en"));

  it("have the decimal mark of the language, and every digit", async () => {
    await speak("de");
    expect(said()).toBe("max_age_secs muss zwischen 0,05 und 86400 liegen.");
  });

  it("have that of the region where it has another", async () => {
    await speak("de", "de-CH");
    expect(said()).toBe("max_age_secs muss zwischen 0.05 und 86400 liegen.");
  });
});
