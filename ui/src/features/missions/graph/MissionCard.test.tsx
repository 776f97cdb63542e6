import { render, screen } from "@testing-library/react";
import { type NodeProps, ReactFlowProvider } from "@xyflow/react";
import { describe, expect, it } from "vitest";
import type { LockRow } from "../../../generated/bindings/LockRow";
import type { MissionNode } from "../../../generated/bindings/MissionNode";
import { NODE } from "../../../testing/missions";
import { MissionCard, type MissionFlowNode } from "./MissionCard";
import mark from "./MissionMark.module.css";
import { lockOf } from "./node-lock";

const ROW: LockRow = {
  robot: "arm-1",
  actuator: "arm",
  resource: "arm-1/body/arm",
  owner: { mission: { agent: "main", id: "patrol" } },
  token: 7,
};
const SENTENCE = "Waiting: weld has arm-1/body/arm.";
const WAITING: MissionNode = { ...NODE, reason: { code: "lock", sentence: SENTENCE, since_ms: 0 } };

function show(node: MissionNode, locks: LockRow[] = []) {
  const data = { node, mayConnect: false, lock: lockOf(node, locks, "main") };
  const props = { id: node.id, type: "mission", data } as unknown as NodeProps<MissionFlowNode>;
  return render(
    <ReactFlowProvider>
      <MissionCard {...props} />
    </ReactFlowProvider>,
  );
}

describe("U-1012 the look of a state", () => {
  const GOAL = { number: 1, text: "Weld.", since_ms: 0 };
  const look = (change: Partial<MissionNode>) => {
    const { container, unmount } = show({ ...NODE, reason: null, ...change });
    const card = screen.getByTestId("node-patrol");
    const found = {
      running: card.dataset["running"],
      alarm: container.querySelector(`.${mark["cut"]}`) !== null,
      quiet: container.querySelector(`.${mark["quiet"]}`) !== null,
      text: card.textContent,
    };
    unmount();
    return found;
  };

  it("marks what runs, what has failed and what is done, each with its words", () => {
    expect(look({ state: "active", goal: GOAL })).toMatchObject({ running: "true", alarm: false });
    expect(look({ state: "active" })).toMatchObject({ running: "false", alarm: false });
    const reason = { code: "failure", sentence: "The weld is open.", since_ms: 0 } as const;
    const failed = look({ state: "failed", reason });
    expect(failed).toMatchObject({ alarm: true, quiet: false });
    expect(failed.text).toContain("The weld is open.");
    const done = look({ state: "completed" });
    expect(done).toMatchObject({ alarm: false, quiet: true });
    expect(done.text).toContain("Completed");
  });
});

describe("U-1001 the card of a mission", () => {
  it("says when it runs next where a time starts it, and has all words where there is no room", () => {
    show({ ...WAITING, title: "Night patrol", starts_at: Date.now() / 1_000 + 60 });
    const card = screen.getByTestId("node-patrol");
    expect(card.textContent).toMatch(/next run .*\d\d:\d\d/);
    const titles = [...card.querySelectorAll("[title]")].map((part) => part.getAttribute("title"));
    expect(titles).toEqual(
      expect.arrayContaining(["Night patrol", "patrol", SENTENCE, expect.stringContaining("next run")]),
    );
  });
});

describe("ML-27 the lock of a mission on its card", () => {
  it("names the parts that it holds, of the agent that is shown alone", () => {
    const other: LockRow = { ...ROW, resource: "arm-1/body/gripper", token: 8 };
    expect(lockOf(NODE, [ROW, other], "main")?.sentence).toBe("holds arm-1/body/arm, arm-1/body/gripper");
    expect(lockOf(NODE, [ROW], "night")).toBeNull();
    expect(lockOf({ ...NODE, id: "weld" }, [ROW], "main")).toBeNull();
    expect(lockOf(NODE, [{ ...ROW, owner: null, token: null }], "main")).toBeNull();
  });

  it("is marked with words, and the sentence says why it waits", () => {
    const { unmount } = show(WAITING, []);
    expect(screen.getByTestId("lock-patrol").textContent).toBe("waits for a lock");
    expect(screen.getByTestId("lock-patrol").title).toBe(SENTENCE);
    expect(screen.getByTestId("node-patrol").textContent).toContain(SENTENCE);
    unmount();
    const held = show(NODE, [ROW]);
    expect(screen.getByTestId("lock-patrol").textContent).toBe("holds arm-1/body/arm");
    held.unmount();
    show(NODE, []);
    expect(screen.queryByTestId("lock-patrol")).toBeNull();
  });
});
