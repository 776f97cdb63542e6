import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { MissionDetail } from "../../host/agent-wire";
import { HostError } from "../../host/host";
import type { Role } from "../../bindings/Role";
import { fakeStation, renderWith } from "../../shared/testing/station";
import { Missions } from "./Missions";

const ROW = { id: "patrol", title: "Night patrol", status: "active", error: null, state: "waiting", reason: "Waiting: calibrate-arm is paused since 13:50.", errors: 0, warnings: 1 };
const DETAIL: MissionDetail = {
  ...ROW,
  source: "---\nid: patrol\n---\n# Night patrol\n<b>go</b>",
  hash: "h1",
  compiled: ["It uses rover-1."],
  problems: [{ code: "expires_soon", message: "It expires tomorrow.", line: 3 }],
  depends_on: ["calibrate-arm"],
};
const CHANGED = { message: "Mission patrol paused", changed: true, still_moving: ["rover-1"] };

let settle: () => Promise<void>;

async function show({ id = "patrol", role = "operator", detail = {}, answers = {} }: { id?: string; role?: Role; detail?: Partial<MissionDetail>; answers?: Record<string, unknown> } = {}) {
  const station = fakeStation(
    {
      list_missions: [ROW, { id: "draft-1", title: "New one", status: "draft", error: "line 4: unknown key" }],
      get_mission: { ...DETAIL, ...detail },
      activate_mission: { message: "Mission patrol activated", activation_id: "a-1", state: "checking", reason: null },
      pause_mission: CHANGED,
      resume_mission: CHANGED,
      cancel_mission: CHANGED,
      pause_all_missions: { message: "1 mission paused" },
      ...answers,
    },
    { role },
  );
  ({ settled: settle } = renderWith(station, <Missions id={id === "" ? undefined : id} />));
  await settle();
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  return { asked };
}

const press = async (testId: string) => {
  fireEvent.click(screen.getByTestId(testId), { detail: 0 });
  await settle();
};

describe("U-1002 the list", () => {
  it("says where each stands and why, and keeps drafts apart", async () => {
    await show({ id: "" });
    expect(screen.getByTestId("mission-patrol").textContent).toContain("Waiting: calibrate-arm is paused since 13:50.");
    expect(screen.queryByTestId("mission-draft-1")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Drafts (1)" }));
    expect(screen.getByTestId("mission-draft-1").textContent).toContain("line 4: unknown key");
  });

  it("pauses all that are active", async () => {
    const { asked } = await show({ id: "" });
    await press("pause-all");
    expect(asked("pause_all_missions")).toEqual([{ agent: "main" }]);
  });
});

describe("U-1009 one mission", () => {
  it("shows its text as it is, what it means, what it comes after and what is wrong", async () => {
    await show();
    expect([screen.getByTestId("mission-text").textContent, document.querySelector("[data-testid=mission-text] b")]).toEqual([DETAIL.source, null]);
    expect([screen.getByTestId("mission-means").textContent, screen.getByTestId("mission-depends").textContent, screen.getByTestId("mission-problems").textContent]).toEqual([
      "It uses rover-1.",
      "Comes after calibrate-arm",
      "It expires tomorrow. line 3",
    ]);
  });

  it("activates exactly the text that was shown, with the reason", async () => {
    const { asked } = await show({ detail: { status: "draft", state: "draft" } });
    fireEvent.change(screen.getByTestId("mission-reason"), { target: { value: " night shift " } });
    await press("activate_mission");
    expect(asked("activate_mission")).toEqual([{ mission_id: "patrol", hash: "h1", reason: "night shift", agent: "main" }]);
    expect(screen.getByTestId("mission-said").textContent).toBe("Mission patrol activated");
  });

  it("U-1010 shows the station's answer, and which robots still move", async () => {
    await show();
    await press("pause_mission");
    expect(screen.getByTestId("mission-said").textContent).toBe("Mission patrol paused Still moving: rover-1.");
  });

  it("U-1010 cancel asks once, because it is final", async () => {
    const { asked } = await show({ role: "admin" });
    await press("cancel_mission");
    expect([asked("cancel_mission"), screen.getByTestId("mission-cancel-yes").tagName]).toEqual([[], "BUTTON"]);
  });

  it("U-107 is closed to an Operator where it needs Admin, with the reason", async () => {
    await show();
    expect([screen.getByTestId<HTMLButtonElement>("cancel_mission").disabled, screen.getByText("Cancelling needs Admin.").tagName]).toEqual([true, "SPAN"]);
  });

  it("says why the station refuses", async () => {
    const refused = () => {
      throw new HostError("hash_changed", "The file is another now.", null, 409);
    };
    await show({ detail: { status: "draft" }, answers: { activate_mission: refused } });
    await press("activate_mission");
    expect(screen.getByText("code hash_changed")).toBeTruthy();
  });
});
