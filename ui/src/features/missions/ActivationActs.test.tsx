import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionVersionRow } from "../../generated/bindings/MissionVersionRow";
import type { SessionInfo } from "../../generated/bindings/SessionInfo";
import { HostError } from "../../host/host";
import { TagInvalidator } from "../../host/query";
import { inGerman } from "../../testing/german";
import { DETAIL, GRAPH, NO_PAST } from "../../testing/missions";
import { fakeStation, renderWith } from "../../testing/station";
import { Missions } from "./Missions";

vi.mock("./graph/MissionCanvas", () => ({ MissionCanvas: () => null }));

const LOOSER: MissionDetail = {
  ...DETAIL,
  status: "draft",
  state: "draft",
  reason: null,
  activated_hash: null,
  changes: [{ key: "constraints", kind: "loosened", sentence: "Loosens a limit.", role_needed: "admin" }],
  role_needed: "admin",
};
const GRANTED = { role: "admin", until_mono_ms: 310_000 };
const ACTIVATED = { message: "Mission patrol activated", activation_id: "a-1", state: "checking", reason: null };

type Show = { session?: Partial<SessionInfo>; answers?: Record<string, unknown>; detail?: Partial<MissionDetail> };

/** The page of a mission whose file loosens a limit, with its activation open. */
async function show({ session = {}, answers = {}, detail = {} }: Show = {}) {
  let mission = { ...LOOSER, ...detail };
  const station = fakeStation(
    {
      mission_graph: GRAPH,
      mission_history: NO_PAST,
      list_robots: [],
      get_mission: () => mission,
      act_as_admin: GRANTED,
      activate_mission: ACTIVATED,
      ...answers,
    },
    session,
  );
  const { queries, settled } = renderWith(station, <Missions id="patrol" tab={undefined} />);
  await settled();
  const opener = screen.getByTestId("activate_mission");
  act(() => opener.focus());
  fireEvent.click(opener);
  await settled();
  const becomes = async (next: Partial<MissionDetail>) => {
    mission = { ...mission, ...next };
    act(() => new TagInvalidator(queries).invalidate(["mission:patrol"]));
    await settled();
  };
  const sent = () => station.asked.filter(({ name }) => name === "act_as_admin" || name === "activate_mission");
  return { station, sent, becomes, settled, opener };
}

const yes = () => screen.getByTestId<HTMLButtonElement>("activation-yes");
const isOpen = () => waitFor(() => expect(yes().disabled).toBe(false));
const press = async () => {
  await isOpen();
  fireEvent.click(yes(), { detail: 1 });
};
const focused = () => document.activeElement?.textContent;
const pin = () => screen.getByTestId<HTMLInputElement>("admin-pin");
function givePin(value: string) {
  fireEvent.change(pin(), { target: { value } });
  fireEvent.submit(pin());
}

describe("U-1009 an activation that needs Admin", () => {
  it("is one step for an Operator: acts as Admin, then activates the text that was shown", async () => {
    const { sent, station } = await show();
    expect(screen.getByTestId("activation-role").textContent).toContain("acts as Admin for a limited time");
    expect(yes().textContent).toContain("Act as Admin and activate");
    await press();
    await waitFor(() => expect(screen.queryByTestId("activation")).toBeNull());
    expect(sent()).toEqual([
      { name: "act_as_admin", input: {} },
      { name: "activate_mission", input: { mission_id: "patrol", hash: "h1", agent: "main" } },
    ]);
    expect(station.store.session?.role).toBe("admin");
  });

  it("activates nothing where the station refuses Admin, and says why", async () => {
    const act_as_admin = () => {
      throw new HostError("forbidden", "Not at this desk.", null, 403);
    };
    const { sent, settled } = await show({ answers: { act_as_admin } });
    await press();
    await settled();
    expect(sent().map(({ name }) => name)).toEqual(["act_as_admin"]);
    expect(screen.getByTestId("activation").textContent).toContain("code forbidden");
  });

  it("asks for the PIN first where one is set, and activates after it", async () => {
    const { sent } = await show({ session: { has_admin_pin: true } });
    await press();
    expect(document.activeElement).toBe(pin());
    expect(sent()).toEqual([]);
    givePin("correct-horse");
    await waitFor(() => expect(sent().map(({ name }) => name)).toEqual(["act_as_admin", "activate_mission"]));
    expect(sent()[0]?.input).toEqual({ pin: "correct-horse" });
  });

  it("gives the PIN up at Escape without closing the dialog, and asks anew for another text", async () => {
    const { becomes, sent } = await show({ session: { has_admin_pin: true } });
    await press();
    fireEvent.keyDown(pin(), { key: "Escape" });
    expect(screen.queryByTestId("admin-pin")).toBeNull();
    expect(focused()).toBe("Do not activate");
    await press();
    await becomes({ hash: "h2" });
    expect(screen.queryByTestId("admin-pin")).toBeNull();
    expect(sent()).toEqual([]);
  });

  it("activates nothing once the dialog was closed while Admin was asked for", async () => {
    let answer: (granted: typeof GRANTED) => void = () => undefined;
    const act_as_admin = () => new Promise((done) => (answer = done));
    const { sent, settled } = await show({ answers: { act_as_admin } });
    await press();
    fireEvent.click(screen.getByText("Do not activate"));
    await act(async () => answer(GRANTED));
    await settled();
    expect(sent().map(({ name }) => name)).toEqual(["act_as_admin"]);
  });

  it.each<[string, Partial<SessionInfo>, boolean, string]>([
    ["is closed to the bearer of a token, whose role nothing raises", { has_token: true }, true, "Activate"],
    ["is the activation alone for an Admin", { role: "admin" }, false, "Activate"],
  ])("%s", async (_, session, isClosed, words) => {
    await show({ session });
    if (!isClosed) await isOpen();
    expect(yes().disabled).toBe(isClosed);
    expect(yes().textContent).toMatch(new RegExp(`^${words}`, "u"));
  });
});

describe("ME-13 the focus of an activation", () => {
  it("begins on the answer that changes nothing, stays there when the content changes, and goes back", async () => {
    const { becomes, opener } = await show();
    expect(focused()).toBe("Do not activate");
    await isOpen();
    expect(focused()).toBe("Do not activate");
    await becomes({ hash: "h2" });
    expect(yes().disabled).toBe(true);
    await isOpen();
    expect(focused()).toBe("Do not activate");
    fireEvent.click(screen.getByText("Do not activate"));
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });
});

describe("ME-05 a draft of the agent", () => {
  const version = (change: Partial<MissionVersionRow>): MissionVersionRow => ({
    hash: "h1",
    seen_ms: 1,
    author: "agent",
    activated_by: null,
    was_activated: false,
    is_draft: true,
    is_activated: false,
    ...change,
  });
  const marks = async (change: Partial<MissionVersionRow>) => {
    await show({ answers: { mission_history: { ...NO_PAST, versions: [version(change)] } } });
    return screen.queryAllByTestId("draft-author").length;
  };

  it("is marked on its page and in its activation", async () => expect(await marks({})).toBe(2));

  it.each<[string, Partial<MissionVersionRow>]>([
    ["a person has saved it", { author: "dana" }],
    ["it came from elsewhere", { author: null }],
    ["a person has activated it before", { was_activated: true, activated_by: "dana" }],
    ["the file is another text by now", { hash: "h0", is_draft: false }],
  ])("is not marked where %s", async (_, change) => expect(await marks(change)).toBe(0));
});

describe("in German", () => {
  inGerman();

  it("the step is told in German", async () => {
    await show();
    expect(yes().textContent).toContain("Als Admin handeln und aktivieren");
    expect(screen.getByTestId("activation-role").textContent).toContain("für begrenzte Zeit als Admin");
  });
});
