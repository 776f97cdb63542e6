import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelErrorKind } from "../../generated/bindings/ModelErrorKind";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { modelFailure, offlineText } from "./model-failure";

/** A kind without a German sentence does not compile. */
const FAILURES: Readonly<Record<ModelErrorKind, string>> = de.model_failure;

describe("U-2006 why a model does not answer, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("is its kind, then the server's own words", () => {
    expect(offlineText({ offline: "connection refused", offline_kind: "transport" })).toBe(
      "Der Server ist nicht erreichbar, oder seine Antwort brach ab: connection refused",
    );
    expect(modelFailure("quota", "no credit")).toBe(`${FAILURES.quota}: no credit`);
  });

  it("is the message alone where its kind is not known", () =>
    expect(offlineText({ offline: "connection refused" })).toBe("connection refused"));

  it("is nothing of a model that answers", () => expect(offlineText({ offline: null })).toBeNull());
});

it("U-2006 in English the message stands alone", () => expect(modelFailure("quota", "no credit")).toBe("no credit"));
