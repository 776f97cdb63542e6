import { expect, it } from "vitest";
import { subjectParts } from "./subject-parts";

const words = (detail: string) => subjectParts(detail).map(({ key, text }) => `${key ?? "-"}: ${text}`);

it("U-1704 the subject of a record is read field by field, and a value runs until the next field", () => {
  expect(words("robot=rover-1 from=Ada Lovelace to=Bob B.: shift ends")).toEqual([
    "robot: rover-1",
    "from: Ada Lovelace",
    "to: Bob B.: shift ends",
  ]);
});

it("U-1704 a list is read as its members, and what is no list stands as it is", () => {
  expect(words('robots=["arm-1","rover-1"] robot="arm-1"')).toEqual(["robots: arm-1, rover-1", "robot: arm-1"]);
  expect(words('target=[{"x":1}]')).toEqual(['target: [{"x":1}]']);
  expect(words("target=[broken")).toEqual(["target: [broken"]);
});

it("U-1704 a person's reason ends the fields, whatever it says", () => {
  expect(words("robot=arm-1 reason=looked robot=rover-1 version=2")).toEqual([
    "robot: arm-1",
    "reason: looked robot=rover-1 version=2",
  ]);
});

it("U-1704 an id may come first, and a sentence stays one", () => {
  expect(words("01a2 by=admin")).toEqual(["-: 01a2", "by: admin"]);
  expect(words("rover-1")).toEqual(["-: rover-1"]);
  expect(words("The chain ends at a=b")).toEqual(["-: The chain ends at a=b"]);
  expect(words("")).toEqual(["-: "]);
});
