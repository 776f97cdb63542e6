import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Find } from "../../../generated/bindings/Find";
import type { RobotDraft } from "../../../generated/bindings/RobotDraft";
import { HostError } from "../../../host/host";
import { later } from "../../../testing/later";
import { fakeStation, renderWith } from "../../../testing/station";
import { setupOf } from "./find-draft";
import { FindForm } from "./FindForm";

const FIND: Find = {
  id: "ros2_dds 0 /spot",
  protocol: "ros2_dds",
  address: "0",
  name: "/spot",
  nodes: [],
  offers: [],
  offers_left_out: 0,
  joints: [],
  commanders: [],
  certainty: "certain",
  lacks: [],
  fields: [{ field: "robot", value: "spot", choices: [], source: "namespace", at: "/spot", is_guess: false }],
};
const DRAFT: RobotDraft = { protocol: "ros2_dds", manifest: "", wiring: "", meaning: null, problems: [] };

function show(draft_robot: () => unknown) {
  const station = fakeStation({ draft_robot }, { role: "admin" });
  const setup = setupOf(FIND, undefined);
  return renderWith(station, <FindForm find={FIND} setup={setup} onSetup={() => undefined} onBack={() => undefined} />);
}
const state = () => screen.getByTestId("draft-state").textContent;

it("a robot is complete once the station says so, and not while it is asked", async () => {
  const asked = later<RobotDraft>();
  const { settled } = show(() => asked.promise);
  expect(state()).toBe("The fields are being checked…");
  asked.resolve(DRAFT);
  await settled();
  expect(state()).toContain("spot is complete.");
});

it("a draft that could not be checked says why, and never that the robot is complete", async () => {
  show(() => {
    throw new HostError("no_answer", "late");
  });
  expect(await screen.findByText(/did not answer in time/)).toBeTruthy();
  expect(state()).toBe("");
});
