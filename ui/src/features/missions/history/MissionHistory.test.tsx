import { fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { MissionStepRow } from "../../../generated/bindings/MissionStepRow";
import { DETAIL } from "../../../testing/missions";
import { fakeStation, renderWith } from "../../../testing/station";
import { useGraphHistory } from "../graph/useGraphHistory";
import { MissionHistory } from "./MissionHistory";

const step = (seq: number): MissionStepRow => ({
  seq,
  at_ms: seq,
  status: "active",
  act: "activated",
  cause: null,
  reason: null,
  hash: null,
  sentence: `Step ${seq}.`,
});

it("says that there are older steps than it lists", async () => {
  const mission_history = ({ limit }: { limit: number }) => ({
    steps: Array.from({ length: limit }, (_, at) => step(1_000 - at)),
    next: 1_000 - limit,
    versions: [],
  });
  const Shown = () => <MissionHistory mission={DETAIL} history={useGraphHistory(() => undefined)} />;
  const { settled } = renderWith(fakeStation({ mission_history }), <Shown />);
  await settled();
  expect(screen.queryByText("Only the newest 200 are listed.")).toBeNull();
  fireEvent.click(screen.getByText("Show older steps"));
  await settled();
  expect(screen.getByText("Only the newest 200 are listed.")).toBeTruthy();
});
