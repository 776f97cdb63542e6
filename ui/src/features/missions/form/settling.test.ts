import { expect, it } from "vitest";
import { isBack } from "./settling";

const file = (hash: string, unsettled = false) => ({ hash, unsettled, refused: false });

it.each([
  ["has not begun to be saved", { over: "a", begun: false }, file("a"), false],
  ["is being saved", { over: "a", begun: true }, file("a", true), false],
  ["is in the file", { over: "a", begun: true }, file("b"), true],
  ["was undone before the window saw it", { over: "a", begun: true }, file("a"), true],
])("ME-17 an edit that %s", (_, sent, now, back) => expect(isBack(sent, now)).toBe(back));
