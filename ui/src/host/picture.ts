// Pictures of cameras: the answer of the station, and the facts in it.

import type { CameraFrame } from "../generated/bindings/CameraFrame";

/** The facts about a camera, and its newest picture if that is newer than the one that was named. */
export type CameraAnswer = { facts: CameraFrame; jpeg: Blob | null };

/** Bytes before the text of a JPEG's first segment: the start, the mark of a comment, its length. */
const COMMENT_AT = 6;

/** Reads an answer. A picture carries its facts as its first segment, a comment; null for one that carries none. */
export function readCameraAnswer(answer: CameraFrame | ArrayBuffer): CameraAnswer | null {
  if (!(answer instanceof ArrayBuffer)) return { facts: answer, jpeg: null };
  if (answer.byteLength < COMMENT_AT) return null;
  const head = new DataView(answer);
  if (head.getUint32(0) !== 0xff_d8_ff_fe) return null;
  // The length counts its own two bytes.
  const text_bytes = head.getUint16(4) - 2;
  if (text_bytes < 0 || COMMENT_AT + text_bytes > answer.byteLength) return null;
  const text = new TextDecoder().decode(new Uint8Array(answer, COMMENT_AT, text_bytes));
  return { facts: JSON.parse(text) as CameraFrame, jpeg: new Blob([answer], { type: "image/jpeg" }) };
}
