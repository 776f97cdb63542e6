import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeStation, renderWith } from "../../testing/station";
import { useRows } from "./useRows";

function Count() {
  const missions = useRows("missions", "list_missions", {});
  return <p>{missions.data?.rows.length ?? "none yet"}</p>;
}

it("U-110 IS-02 asks nothing about an agent before the station has named one", async () => {
  const station = fakeStation({ list_missions: [] });
  station.store.chooseAgent(null);
  renderWith(station, <Count />);
  await act(async () => undefined);
  expect(station.asked).toEqual([]);
  act(() => station.store.chooseAgent("night-watch"));
  await screen.findByText("0");
  expect(station.asked).toEqual([{ name: "list_missions", input: { agent: "night-watch" } }]);
});
