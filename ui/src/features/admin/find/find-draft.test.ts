import { describe, expect, it } from "vitest";
import type { Find } from "../../../generated/bindings/Find";
import type { FindField } from "../../../generated/bindings/FindField";
import {
  fieldsOf,
  type FieldState,
  isOptional,
  numbersOf,
  partsOf,
  sentFields,
  setupOf,
  toggled,
  withGuess,
  withPart,
  withValue,
} from "./find-draft";

const FIND: Find = {
  id: "ros2_dds 0 /spot",
  protocol: "ros2_dds",
  address: "0",
  name: "/spot",
  nodes: ["/spot/driver"],
  offers: [],
  offers_left_out: 0,
  commanders: [],
  certainty: "certain",
  lacks: [],
  fields: [
    { field: "robot", value: "spot", choices: [], source: "namespace", at: "/spot", is_guess: false },
    {
      field: "radius",
      value: "0.4",
      choices: [],
      source: "description",
      at: "/spot/robot_description",
      is_guess: true,
    },
    {
      field: "stop_services",
      value: null,
      choices: ["/spot/stop"],
      source: "service",
      at: "/spot/stop",
      is_guess: true,
    },
  ],
  joints: [],
};

const one = (fields: readonly FieldState[], field: string) => fields.find((state) => state.field === field);

describe("the fields of a draft", () => {
  it("RG-40 keep their sources, and what no scan says stays empty", () => {
    const fields = fieldsOf(FIND);
    expect(one(fields, "robot")).toMatchObject({ value: "spot", source: "namespace", is_guess: false });
    expect(one(fields, "radius")).toMatchObject({ value: "0.4", is_guess: true });
    expect(one(fields, "hardware_stop")).toMatchObject({ value: "", source: null, is_guess: false });
  });

  it("RG-40 a stop service is offered and never chosen", () => {
    expect(one(fieldsOf(FIND), "stop_services")).toMatchObject({ value: "", choices: ["/spot/stop"], is_guess: false });
  });

  it("RG-40 a value that a person writes is theirs, and a guess goes on until it is confirmed", () => {
    const written = withValue(fieldsOf(FIND), "radius", "0.5");
    expect(one(written, "radius")).toMatchObject({ value: "0.5", source: null, is_guess: false });
    const sent = sentFields(withGuess(fieldsOf(FIND), "radius", false));
    expect(sent.find(({ field }) => field === "radius")).toEqual({
      field: "radius",
      value: "0.4",
      source: "description",
      at: "/spot/robot_description",
      is_guess: false,
    });
  });

  it("RG-40 of a find that is looked at again are as a person left them", () => {
    const named = withValue(setupOf(FIND, undefined).fields, "hardware_stop", "on the mast");
    const left = { fields: withGuess(withValue(named, "robot", ""), "radius", false), folder: "/gate" };
    expect(setupOf(FIND, left)).toEqual(left);
  });

  it("RG-40 of a newer scan replace what no person wrote, and another guess is to be confirmed again", () => {
    const left = {
      fields: withGuess(withValue(fieldsOf(FIND), "robot", "mine"), "radius", false),
      folder: "",
    };
    const newer = FIND.fields.map((field) => (field.field === "radius" ? { ...field, value: "0.6" } : field));
    const { fields } = setupOf({ ...FIND, fields: newer }, left);
    expect(one(fields, "radius")).toMatchObject({ value: "0.6", is_guess: true });
    expect(one(fields, "robot")).toMatchObject({ value: "mine", source: null });
  });

  it("RG-40 that a robot needs follow from how it moves", () => {
    const base = fieldsOf(FIND);
    expect(isOptional("command_topic", base)).toBe(false);
    expect(isOptional("joint_limits", base)).toBe(true);
    const driven = withValue(base, "navigate", "/navigate_to_pose");
    expect(isOptional("command_topic", driven)).toBe(true);
    const arm = withValue(base, "trajectory", "/arm/follow_joint_trajectory");
    expect(["velocity", "command_topic"].map((field) => isOptional(field as FindField, arm))).toEqual([true, true]);
    expect(["joints", "joint_limits"].map((field) => isOptional(field as FindField, arm))).toEqual([false, false]);
  });

  it("RG-40 a part of a field with several is written alone, and a new one begins after a semicolon", () => {
    const joints = "a rad 0 1 1 ? 1; b m 0 1 1 ? 1";
    expect(partsOf(joints)).toEqual(["a rad 0 1 1 ? 1", "b m 0 1 1 ? 1"]);
    expect(withPart(joints, 0, "a rad 0 1 1 2 1")).toBe("a rad 0 1 1 2 1; b m 0 1 1 ? 1");
    expect(partsOf(withPart("front image /a ", 0, "front image /a ;"))).toEqual(["front image /a ", ""]);
  });

  it("a word of a list is taken in and left out again", () => {
    expect(toggled("", "/a")).toBe("/a");
    expect(toggled("/a /b", "/a")).toBe("/b");
  });

  it("domains are numbers between commas and spaces", () => {
    expect(numbersOf("0, 7 42", 101)).toEqual([0, 7, 42]);
    expect(numbersOf("102", 101)).toBeNull();
    expect(numbersOf("a", 101)).toBeNull();
  });
});
