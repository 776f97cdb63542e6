import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { WorldExplained } from "../../generated/bindings/WorldExplained";
import { HostError } from "../../host/host";
import { worldRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { EntryPanel } from "./EntryPanel";

it("U-1101 a rule on an entry is named and reached though the list of rules cannot be read", async () => {
  const explained: WorldExplained = {
    entry: worldRow("oven.heat", { value: 180 }),
    claims: [],
    context: null,
    sample: null,
    rules: ["ar-7"],
  };
  const list_alerts = () => {
    throw new HostError("no_answer", "");
  };
  renderWith(
    fakeStation({ explain_world_entry: explained, world_history: [], list_alerts }),
    <EntryPanel entry="oven.heat" />,
  );
  await waitFor(() => expect(screen.getByText("ar-7").closest("a")?.getAttribute("href")).toBe("/alarms/rules/ar-7"));
});
