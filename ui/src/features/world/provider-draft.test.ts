import { describe, expect, it } from "vitest";
import type { ProviderConfig } from "../../generated/bindings/ProviderConfig";
import { changeOf, draftOf, isTriable, picked, readProvider, type Use } from "./provider-draft";

const CONFIG: ProviderConfig = {
  topic_pattern: "lab/**/vision/detections",
  world_state_key_template: "{label}.location",
  value_field: "zone",
  filter: "confidence > 0.8",
  min_interval_secs: 1,
  max_age_secs: 30,
  max_keys: 256,
  codec: "cbor",
  closed_sets: { label: ["person", "dog"], zone: ["hallway"] },
};

describe("a provider as it is put together", () => {
  it("is the provider it was made of", () => expect(readProvider(draftOf(CONFIG, null)).config).toEqual(CONFIG));

  it("keeps words with commas, quotation marks and blanks", () => {
    const label = ["red, large", 'the "left" one', '"', "", " edge ", "two\nlines", "back\\slash", "dog"];
    const config = { ...CONFIG, closed_sets: { label } };
    expect(readProvider(draftOf(config, null)).config).toEqual(config);
    const written = { ...draftOf(CONFIG, null), closed_sets: 'label: person ,"red, large",  "open' };
    expect(readProvider(written).config?.closed_sets).toEqual({ label: ["person", "red, large", '"open'] });
  });

  it("WS-47 is changed as a whole: what is left empty is taken away", () => {
    const { config } = readProvider({
      ...draftOf(CONFIG, null),
      closed_sets: "",
      texts: { ...draftOf(CONFIG, null).texts, filter: "" },
    });
    expect(config && changeOf(config)).toMatchObject({
      value_field: "zone",
      filter: null,
      unit: null,
      confidence_default: null,
      closed_sets: {},
      origin: "measured",
      codec: "cbor",
    });
  });

  it("begins with the topic it is made of", () => {
    const draft = draftOf(null, "lab/oven-1/out/state");
    expect([draft.texts.topic_pattern, isTriable(draft)]).toEqual(["lab/oven-1/out/state", false]);
  });

  it("names a number that is none, and lets one be left out", () => {
    const draft = draftOf(CONFIG, null);
    expect(readProvider({ ...draft, numbers: { ...draft.numbers, max_age_secs: "soon" } }).problems).toEqual({
      max_age_secs: "not_a_number",
    });
    expect(
      readProvider({ ...draft, numbers: { ...draft.numbers, confidence_default: "0,5" } }).config?.confidence_default,
    ).toBe(0.5);
  });
});

describe("U-1106 a field of the sample", () => {
  const check = (use: Use, path: string, example: unknown, expected: Partial<ProviderConfig>) =>
    expect(readProvider(picked(draftOf(CONFIG, null), path, example, use)).config).toEqual({ ...CONFIG, ...expected });

  it("becomes the value", () => check("value", "bearing_rad", 0.2, { value_field: "bearing_rad" }));
  it("becomes a part of the key", () =>
    check("key", "zone", "hallway", { world_state_key_template: "{label}.location.{zone}" }));
  it("becomes a clause of the filter", () =>
    check("filter", "label", "it's", { filter: "confidence > 0.8 AND label = 'it\\'s'" }));
  it("a number becomes a bound", () =>
    check("filter", "confidence", 0.9, { filter: "confidence > 0.8 AND confidence >= 0.9" }));
  it("becomes the confidence", () => check("confidence", "score", 0.9, { confidence_field: "score" }));
  it("becomes the time", () => check("time", "stamp", 1, { timestamp_field: "stamp" }));
  it("WS-24 in an array makes the array the rows", () =>
    check("value", "detections[0].bbox.x1", 4, { rows: "detections", value_field: "bbox.x1" }));
  it("WS-24 outside of the rows starts in the document", () =>
    expect(
      picked(
        { ...draftOf(CONFIG, null), texts: { ...draftOf(CONFIG, null).texts, rows: "detections" } },
        "frame_id",
        "map",
        "key",
      ).texts.world_state_key_template,
    ).toBe("{label}.location.{$.frame_id}"));
  it("adds a known word, once", () => {
    check("words", "zone", "street", { closed_sets: { label: ["person", "dog"], zone: ["hallway", "street"] } });
    check("words", "zone", "hallway", {});
    check("words", "zone", "dock, left", {
      closed_sets: { label: ["person", "dog"], zone: ["hallway", "dock, left"] },
    });
  });
});
