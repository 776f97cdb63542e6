import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { useRows } from "../domain/station/useRows";
import type { Frame } from "../generated/bindings/Frame";
import { frame } from "../testing/fixtures";
import { fakeStation, renderWith } from "../testing/station";
import { TagInvalidator } from "./query";
import { outdatedBy } from "./tags";

function Shown() {
  const list = useRows("missions", "list_missions", {});
  const first = useRows("missions", "get_mission", { mission_id: "calibrate" });
  const second = useRows("missions", "get_mission", { mission_id: "patrol" });
  const runs = useRows("missions", "list_mission_runs", { mission_id: "patrol" });
  return [list, first, second, runs].every(({ isSuccess }) => isSuccess) && <p>there</p>;
}

/** Everything that a window with a list and two missions asks for again after a frame. */
async function askedAfter(change: Partial<Frame>): Promise<string[]> {
  const station = fakeStation({ list_missions: [], get_mission: {}, list_mission_runs: {} });
  const { queries } = renderWith(station, <Shown />);
  await screen.findByText("there");
  station.asked.length = 0;
  await act(async () => new TagInvalidator(queries).invalidate(outdatedBy(frame(change), "main")));
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  return station.asked.map(({ name, input }) =>
    `${name} ${(input as { mission_id?: string }).mission_id ?? ""}`.trim(),
  );
}

describe("MO-17 a change of one mission", () => {
  it("asks again for it and for lists, and for no other mission", async () => {
    expect(await askedAfter({ missions: ["calibrate"] })).toEqual(["list_missions", "get_mission calibrate"]);
    expect(await askedAfter({ missions: ["patrol"] })).toEqual([
      "list_missions",
      "get_mission patrol",
      "list_mission_runs patrol",
    ]);
  });

  it("asks for each where any may have changed", async () => {
    expect(await askedAfter({ tags: ["missions"] })).toHaveLength(4);
  });

  it("asks for missions, and no list of them, where limits of a robot have changed", async () => {
    expect(await askedAfter({ facts: [{ kind: "constraint_set", robot: "arm-1", version: 2 }] })).not.toContain(
      "list_missions",
    );
  });
});
