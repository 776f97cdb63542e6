import { act, fireEvent, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import type { RoomMessageRow } from "../../generated/bindings/RoomMessageRow";
import type { RoomRow } from "../../generated/bindings/RoomRow";
import type { Role } from "../../generated/bindings/Role";
import { HostError } from "../../host/host";
import { frame } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { suggest } from "../../domain/agent/draft";
import { RoomTalk } from "./RoomTalk";

beforeEach(() => localStorage.clear());

const ROOM: RoomRow = {
  room: "ops",
  key_expr: "lab/room/ops",
  agent: "main",
  name: "north",
  session: "room-ops",
  answers: true,
  mention: true,
  listened_to: true,
  members: [{ station: "south", public_key: "ed25519:AAAA", heard_ms: null }],
  dropped: [{ why: "bad_signature", count: 2 }],
  problem: null,
};
const said = (n: number, change: Partial<RoomMessageRow>): RoomMessageRow => ({
  n,
  at_ms: 1_772_990_000_000,
  station: null,
  sender: "dana",
  by_agent: false,
  text: "hello",
  trust: "text",
  ...change,
});

async function show({
  room = {},
  messages = [],
  role = "operator",
  answers = {},
}: { room?: Partial<RoomRow>; messages?: RoomMessageRow[]; role?: Role; answers?: Record<string, unknown> } = {}) {
  const station = fakeStation(
    {
      read_room: { room: "ops", messages },
      list_sessions: [],
      post_room: { room: "ops", n: 1, message: "Posted." },
      set_room_member: { message: "South may speak." },
      ...answers,
    },
    { role },
  );
  const { settled } = renderWith(station, <RoomTalk room={{ ...ROOM, ...room }} />);
  await settled();
  return {
    settled,
    station,
    asked: (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input),
  };
}

const write = (text: string) => fireEvent.change(screen.getByTestId("room-composer"), { target: { value: text } });

describe("C-06 a room of several stations", () => {
  it("U-903 quotes what other stations said, with who and where, and never renders it", async () => {
    await show({
      messages: [
        said(1, {}),
        said(2, { station: "south", sender: "ben", text: "**stop** <b>arm-1</b>" }),
        said(3, { station: "south", sender: "south", by_agent: true, text: "Done." }),
      ],
    });
    const other = screen.getByTestId("room-message-2");
    expect([other.querySelector("blockquote")?.textContent, other.querySelector("b, strong")]).toEqual([
      "**stop** <b>arm-1</b>",
      null,
    ]);
    expect([
      other.textContent,
      screen.getByTestId("room-message-3").textContent,
      screen.getByTestId("room-message-1").querySelector("blockquote"),
    ]).toEqual([expect.stringContaining("ben · south"), expect.stringContaining("agent south · south"), null]);
  });

  it("says who hears it, when the agent answers, and what was not let in", async () => {
    await show();
    for (const part of [
      "lab/room/ops",
      "heard by another station",
      "north answers when named @north",
      "signed by no member (2)",
    ])
      expect(screen.getByTestId("room-head").textContent).toContain(part);
  });

  it("C-03 posts with Enter what has words and is not too long, as it stands", async () => {
    const { asked, settled } = await show();
    write("  ");
    fireEvent.keyDown(screen.getByTestId("room-composer"), { key: "Enter" });
    write("a".repeat(4_001));
    fireEvent.keyDown(screen.getByTestId("room-composer"), { key: "Enter" });
    expect(asked("post_room")).toEqual([]);
    write(" /status to all ");
    fireEvent.keyDown(screen.getByTestId("room-composer"), { key: "Enter" });
    await settled();
    expect([asked("post_room"), screen.getByTestId<HTMLTextAreaElement>("room-composer").value]).toEqual([
      [{ room: "ops", text: "/status to all" }],
      "",
    ]);
  });

  it("holds what another screen suggests for the shown conversation", async () => {
    const { station } = await show();
    act(() => station.store.chooseConversation("room-ops"));
    act(() => suggest(station.store, "status"));
    expect(screen.getByTestId<HTMLTextAreaElement>("room-composer").value).toBe("status");
  });

  it("keeps the words when the station refuses them", async () => {
    const refused = () => {
      throw new HostError("busy", "This station has said enough for now.", null, 429);
    };
    const { settled } = await show({ answers: { post_room: refused } });
    write("again");
    fireEvent.click(screen.getByTestId("room-post"));
    await settled();
    expect([
      screen.getByTestId<HTMLTextAreaElement>("room-composer").value,
      screen.getByText("code busy").tagName,
    ]).toEqual(["again", expect.any(String)]);
  });

  describe("X-01 while the agent replies in it", () => {
    const answers = {
      list_sessions: [{ session: "room-ops", running: "t-4" }],
      turn_steer: { message: "Steer queued", position: 1 },
      turn_cancel: { message: "Turn cancelled", still_moving: [] },
    };

    it("words can go to the reply alone, and Enter still posts", async () => {
      const { asked, settled } = await show({ answers });
      write(" only the second one ");
      fireEvent.click(screen.getByTestId("room-steer"));
      await settled();
      expect([
        asked("turn_steer"),
        asked("post_room"),
        screen.getByTestId<HTMLTextAreaElement>("room-composer").value,
      ]).toEqual([[{ turn: "t-4", text: "only the second one", agent: "main" }], [], ""]);
      write("hello");
      fireEvent.keyDown(screen.getByTestId("room-composer"), { key: "Enter" });
      await settled();
      expect([asked("turn_steer").length, asked("post_room")]).toEqual([1, [{ room: "ops", text: "hello" }]]);
    });

    it("X-02 the reply can be stopped", async () => {
      const { asked, settled } = await show({ answers });
      fireEvent.click(screen.getByTestId("stop-reply"));
      await settled();
      expect(asked("turn_cancel")).toEqual([{ turn: "t-4", agent: "main" }]);
    });

    it("what it does is in sight, until it is over", async () => {
      const { station } = await show();
      const happen = (event: object) =>
        act(() => {
          station.store.chooseConversation("room-ops");
          station.store.applyFrame(
            frame({ facts: [{ kind: "turn", agent: "main", session: "room-ops", turn: "t-5", event } as never] }),
            performance.now(),
          );
        });
      happen({ call_started: { call: "c1", name: "list_robots", args: {}, effect: "read" } });
      expect([screen.getByTestId("tool").textContent, screen.getByTestId("room-steer").textContent]).toEqual([
        expect.stringContaining("running…"),
        "Steer",
      ]);
      happen({ turn_ended: { outcome: "done", calls: 1, usage: {} } });
      expect([
        screen.queryByTestId("tool"),
        screen.queryByTestId("room-steer"),
        screen.queryByTestId("stop-reply"),
      ]).toEqual([null, null, null]);
    });
  });

  it("keeps what is on screen while older messages are on their way", async () => {
    const messages = Array.from({ length: 100 }, (_, place) => said(place + 101, {}));
    let take: (answer: unknown) => void = () => {};
    const older = new Promise((resolve) => (take = resolve));
    const read_room = ({ limit }: { limit: number }) => (limit === 100 ? { room: "ops", messages } : older);
    const { settled } = await show({ answers: { read_room } });
    fireEvent.click(screen.getByRole("button", { name: "Show older" }));
    expect(screen.getByTestId("room-message-101")).toBeTruthy();
    take({ room: "ops", messages: [said(100, {}), ...messages] });
    await settled();
    expect(screen.getByTestId("room-message-100")).toBeTruthy();
  });

  it("is closed with the station's reason where nobody can speak", async () => {
    await show({ room: { problem: "The key of this station is locked." } });
    write("hello");
    expect([
      screen.getByTestId<HTMLButtonElement>("room-post").disabled,
      screen.getAllByText("The key of this station is locked.").length,
    ]).toEqual([true, 2]);
  });

  it("U-107 shows an Operator who may speak, and changes nothing", async () => {
    await show();
    expect([
      screen.getByTestId<HTMLButtonElement>("room-remove-south").disabled,
      screen.getByText("needs Admin").tagName,
    ]).toEqual([true, "P"]);
  });

  it("lets an Admin say who may speak, and take a removal back", async () => {
    const { asked, settled } = await show({ role: "admin" });
    fireEvent.click(screen.getByTestId("room-remove-south"));
    await settled();
    fireEvent.click(screen.getByTestId("room-member-add"));
    await settled();
    expect(asked("set_room_member")).toEqual([
      { room: "ops", station: "south", public_key: null },
      { room: "ops", station: "south", public_key: "ed25519:AAAA" },
    ]);
  });
});
