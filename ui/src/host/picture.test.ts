import { describe, expect, it } from "vitest";
import { readCameraAnswer } from "./picture";

const FACTS = {
  robot: "arm-1",
  camera: "cell",
  observed_mono_ms: 7,
  newer: true,
  width_px: 320,
  height_px: 240,
  rate_hz: 5,
  fault: null,
  detections: null,
};

function picture(comment: string, length = comment.length + 2): ArrayBuffer {
  const head = [0xff, 0xd8, 0xff, 0xfe, length >> 8, length & 0xff];
  return new Uint8Array([...head, ...new TextEncoder().encode(comment), 0xff, 0xd9]).buffer;
}

describe("U-406 the answer about a camera", () => {
  it("is its facts where there is nothing newer", () => {
    expect(readCameraAnswer({ ...FACTS, newer: false })).toEqual({ facts: { ...FACTS, newer: false }, jpeg: null });
  });

  it("is a picture with its facts in front", () => {
    const read = readCameraAnswer(picture(JSON.stringify(FACTS)));
    expect([read?.facts, read?.jpeg?.type, read?.jpeg?.size]).toEqual([
      FACTS,
      "image/jpeg",
      JSON.stringify(FACTS).length + 8,
    ]);
  });

  it("is nothing where the facts are missing or end behind the file", () => {
    expect(readCameraAnswer(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1]).buffer)).toBeNull();
    expect(readCameraAnswer(picture("{}", 60_000))).toBeNull();
    expect(readCameraAnswer(new ArrayBuffer(3))).toBeNull();
  });
});
