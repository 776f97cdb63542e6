import { render, screen } from "@testing-library/react";
import { type NodeProps, ReactFlowProvider } from "@xyflow/react";
import { describe, expect, it } from "vitest";
import type { LockRow } from "../../../generated/bindings/LockRow";
import type { MissionNode } from "../../../generated/bindings/MissionNode";
import { NODE } from "../../../testing/missions";
import { MissionCard, type MissionFlowNode } from "./MissionCard";
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

describe("ML-27 the lock of a mission on its card", () => {
  it("names the parts that it holds, of the agent that is shown alone", () => {
    const other: LockRow = { ...ROW, resource: "arm-1/body/gripper", token: 8 };
    expect(lockOf(NODE, [ROW, other], "main")?.sentence).toBe("holds arm-1/body/arm, arm-1/body/gripper");
    expect(lockOf(NODE, [ROW], "night")).toBeNull();
    expect(lockOf({ ...NODE, id: "weld" }, [ROW], "main")).toBeNull();
    expect(lockOf(NODE, [{ ...ROW, owner: null, token: null }], "main")).toBeNull();
  });

  it("is marked with words, and the sentence says why it waits", () => {
    const show = (node: MissionNode, locks: LockRow[]) => {
      const data = { node, mayConnect: false, lock: lockOf(node, locks, "main") };
      const props = { id: node.id, type: "mission", data } as unknown as NodeProps<MissionFlowNode>;
      return render(
        <ReactFlowProvider>
          <MissionCard {...props} />
        </ReactFlowProvider>,
      );
    };
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
