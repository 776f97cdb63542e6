import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import { HostError } from "../../host/host";
import { TagInvalidator } from "../../host/query";
import { DETAIL, GRAPH, NO_PAST } from "../../testing/missions";
import { inGerman } from "../../testing/german";
import { fakeStation, renderWith } from "../../testing/station";
import { Missions } from "./Missions";

vi.mock("./graph/MissionCanvas", () => ({ MissionCanvas: () => null }));

const ENVELOPE = ["5 motions of rover-1/base in 2 h", "1 motions of rover-1/base in 1 h"];

/** The mission as the station tells of it, until it is another. */
async function show(first: Partial<MissionDetail>, answers: Record<string, unknown> = {}) {
  let detail = { ...DETAIL, ...first };
  const station = fakeStation({
    mission_graph: GRAPH,
    mission_history: NO_PAST,
    get_mission: () => detail,
    list_robots: [],
    ...answers,
  });
  const { queries, settled } = renderWith(station, <Missions id="patrol" tab={undefined} />);
  await settled();
  const becomes = async (next: Partial<MissionDetail>) => {
    detail = { ...detail, ...next };
    act(() => new TagInvalidator(queries).invalidate(["mission:patrol"]));
    await settled();
  };
  const press = async (testId: string) => {
    fireEvent.click(screen.getByTestId(testId), { detail: 0 });
    await settled();
  };
  return { becomes, press, asked: (name: string) => station.asked.filter((one) => one.name === name) };
}

const box = (testId: string) => screen.getByTestId<HTMLInputElement>(testId);
const draft: Partial<MissionDetail> = { status: "draft", state: "draft", reason: null };

it("ML-25 a standing approval that was granted of one text is not granted of the next", async () => {
  const answer = { message: "Mission patrol activated", activation_id: "a-1", state: "checking", reason: null };
  const { becomes, press, asked } = await show({ ...draft, envelope: ENVELOPE }, { activate_mission: answer });
  await press("activate_mission");
  fireEvent.click(box("grant-1"));
  expect(box("grant-1").checked).toBe(true);
  await becomes({ hash: "h2", envelope: ["100 motions of rover-1/base in 8 h"] });
  expect(box("grant-1").checked).toBe(false);
  await waitFor(() => expect(box("activation-yes").disabled).toBe(false));
  fireEvent.click(box("activation-yes"), { detail: 1 });
  await waitFor(() => expect(asked("activate_mission")[0]?.input).toMatchObject({ hash: "h2" }));
  expect(asked("activate_mission")[0]?.input).not.toHaveProperty("grant");
});

it("says that a file which is gone meanwhile cannot be activated", async () => {
  const { becomes, press } = await show(draft);
  await press("activate_mission");
  await becomes({ hash: null, source: null });
  expect(screen.getByTestId("activation-closed").textContent).toBe("The file is missing or cannot be read.");
  expect(box("activation-yes").disabled).toBe(true);
});

it("opens without the refusal of another act", async () => {
  const pause_mission = () => {
    throw new HostError("mission_ended", "It has ended.", null, 409);
  };
  const { press } = await show({ flags: ["draft"] }, { pause_mission });
  await press("pause_mission");
  expect(screen.getByText("code mission_ended")).toBeTruthy();
  await press("activate_mission");
  expect(screen.queryByText("code mission_ended")).toBeNull();
});

it("keeps the reason that an act without one has not taken", async () => {
  const changed = { message: "Mission patrol resumed", changed: true, state: "active", reason: null };
  const { press } = await show({ status: "paused", state: "paused" }, { resume_mission: changed });
  fireEvent.change(box("mission-reason"), { target: { value: "new gripper" } });
  await press("resume_mission");
  expect(box("mission-reason").value).toBe("new gripper");
});

it("takes the reason of an act that ends the mission for that act alone", async () => {
  const ended = { message: "Mission patrol completed", changed: true, live: DETAIL.live, still_moving: [] };
  const { press, asked } = await show({}, { complete_mission: ended });
  fireEvent.change(box("mission-reason"), { target: { value: "all seen" } });
  await press("complete_mission");
  await waitFor(() => expect(box("mission-end-yes").disabled).toBe(false));
  fireEvent.click(box("mission-end-yes"), { detail: 1 });
  await waitFor(() => expect(asked("complete_mission")[0]?.input).toMatchObject({ reason: "all seen" }));
  await waitFor(() => expect(box("mission-reason").value).toBe(""));
});

describe("in German", () => {
  inGerman();

  it("the station's answer is German too, with the robots that still move", async () => {
    const halted = { message: "Mission patrol paused", changed: true, live: DETAIL.live, still_moving: ["rover-1"] };
    const { press } = await show({}, { pause_mission: halted });
    await press("pause_mission");
    expect(screen.getByTestId("mission-said").textContent).toMatch(/^Mission patrol pausiert\. .*rover-1\.$/u);
  });

  it("an answer that says more or something else stays in the station's words", async () => {
    const stopped = { message: "Mission patrol stopped meanwhile", changed: false, state: "paused", reason: null };
    const { press } = await show({ status: "paused", state: "paused" }, { resume_mission: stopped });
    await press("resume_mission");
    expect(screen.getByTestId("mission-said").textContent).toBe("Mission patrol stopped meanwhile");
  });
});
