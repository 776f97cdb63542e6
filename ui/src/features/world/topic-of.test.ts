import { describe, expect, it } from "vitest";
import type { TopicRow } from "../../generated/bindings/TopicRow";
import { topicOf } from "./topic-of";

const TOPICS = ["lab/cam-1/out/detections", "lab/cam-2/vision/detections", "lab/oven-1/out/state"].map(
  (key_expr) => ({ key_expr }) as TopicRow,
);

describe("the topic a key expression names", () => {
  it.each([
    ["lab/oven-1/out/state", "lab/oven-1/out/state"],
    ["lab/*/vision/detections", "lab/cam-2/vision/detections"],
    ["lab/**/detections", "lab/cam-1/out/detections"],
    ["**/state", "lab/oven-1/out/state"],
    ["lab/cam-$*/vision/*", "lab/cam-2/vision/detections"],
    ["lab/**", "lab/cam-1/out/detections"],
    ["lab/*", null],
    ["", null],
  ])("of %s is %s", (pattern, found) => expect(topicOf(TOPICS, pattern)?.key_expr ?? null).toBe(found));
});
