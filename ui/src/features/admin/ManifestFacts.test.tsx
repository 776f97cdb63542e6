import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ManifestMeaning } from "../../generated/bindings/ManifestMeaning";
import { inGerman } from "../../testing/german";
import { ManifestFacts } from "./ManifestFacts";

const MEANING: ManifestMeaning = {
  robot: "arm-1",
  site: "lab",
  is_known: false,
  gate: "reference",
  is_signed: true,
  supervision: "required",
  hardware_estop: "button",
  stop_behaviour: "hold",
  carries_load: false,
  speed_mps_max: 0.5,
  angular_radps_max: 1,
  acceleration_mps2_max: 1,
  force_n_max: null,
  workspace_m: [
    [-0.45, 0.85],
    [-0.6, 0.6],
    [0, 1.275],
  ],
  body_radius_m: 0.05,
  localisation_error_m: 0.01,
  default_frame: "base_link",
  actuators: [],
  state_keys: [],
};

const space = () => screen.getByText(/in base_link/u).textContent;

it("the space that a robot stays in is the manifest's own, and not one that is rounded outward", () => {
  render(<ManifestFacts meaning={MEANING} />);
  expect(space()).toBe("x −0.45…0.85 m, y −0.6…0.6 m, z 0…1.275 m in base_link");
});

describe("in German", () => {
  inGerman();
  it("it has decimal commas", () => {
    render(<ManifestFacts meaning={MEANING} />);
    expect(space()).toBe("x −0,45…0,85 m, y −0,6…0,6 m, z 0…1,275 m in base_link");
  });
});
