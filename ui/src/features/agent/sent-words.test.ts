import { expect, it } from "vitest";
import { sentWords } from "./sent-words";

const said = (id: number, text: string, who: string) => ({ kind: "operator", id, at_ms: id, text, who }) as const;

it("U-907 brings back the words of the person at this desk, the newest first and each once", () =>
  expect(
    sentWords(
      [said(1, "status", "dana"), said(2, "stop", "dana"), said(3, "drive", "ben"), said(4, "status", "dana")],
      "dana",
    ),
  ).toEqual(["status", "stop"]));
