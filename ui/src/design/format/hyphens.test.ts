import { expect, it } from "vitest";
import { hyphenated } from "./hyphens";

it.each([
  ["Arbeitsraum x max", "Arbeits-raum x max"],
  ["Geschwindigkeit", "Geschwindig-keit"],
  ["Drehgeschwindigkeit", "Dreh-geschwindig-keit"],
  ["Zielsprung", "Ziel-sprung"],
  ["Workspace x max", "Workspace x max"],
])("%s may break as %s", (text, broken) => expect(hyphenated(text).replaceAll("\u00AD", "-")).toBe(broken));
