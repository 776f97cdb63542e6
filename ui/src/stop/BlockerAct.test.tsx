import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { HostError } from "../host/host";
import { causeRow } from "../testing/fixtures";
import { fakeStation } from "../testing/station";
import { BlockerAct } from "./BlockerAct";

const look = () => screen.getByTestId<HTMLInputElement>("stop-look-arm-1");
const press = () => screen.getByTestId<HTMLButtonElement>("stop-act-arm-1-stop_unconfirmed");

function show(answers: Record<string, unknown> = {}) {
  const station = fakeStation(answers);
  const causes = (present: boolean, closed: string | null = null) => (
    <div tabIndex={-1} data-testid="sheet">
      <BlockerAct
        host={station.host}
        robot="arm-1"
        cause={causeRow({ cause: "stop_unconfirmed", clears: "on_disarm", present })}
        refusal={closed}
      />
    </div>
  );
  const { rerender } = render(causes(false));
  const gone = () => rerender(<div tabIndex={-1} data-testid="sheet" />);
  return { station, gone, tell: (present: boolean, closed?: string) => rerender(causes(present, closed)) };
}

it("a look counts for one try: after a refusal the robot has to be looked at again", async () => {
  show({
    disarm_robot: () => {
      throw new HostError("version_conflict", "It moves.");
    },
  });
  fireEvent.click(look());
  await act(async () => void fireEvent.click(press()));
  expect([screen.getByRole("alert").textContent?.includes("It moves."), look().checked]).toEqual([true, false]);
  fireEvent.click(look());
  expect(screen.queryByRole("alert")).toBeNull();
});

it("a box that cannot be ticked says why, and a look from before the link was lost is an old one", () => {
  const { tell } = show();
  fireEvent.click(look());
  tell(false, "The station is away.");
  expect([look().checked, look().getAttribute("aria-disabled")]).toEqual([false, "true"]);
  expect(document.getElementById(look().getAttribute("aria-describedby") ?? "")?.textContent).toBe(
    "The station is away.",
  );
  fireEvent.click(look());
  tell(false);
  expect([look().checked, look().getAttribute("aria-describedby")]).toEqual([false, null]);
});

it("sends once, keeps the focus while it sends, and leaves it in the sheet when the cause has ended", async () => {
  let answer = () => undefined as void;
  const { station, gone } = show({ disarm_robot: () => new Promise<void>((done) => (answer = done)) });
  fireEvent.click(look());
  act(() => press().focus());
  await act(async () => void fireEvent.click(press()));
  fireEvent.click(press());
  expect([document.activeElement, press().getAttribute("aria-disabled")]).toEqual([press(), "true"]);
  await act(async () => answer());
  expect(station.asked).toHaveLength(1);
  gone();
  expect(document.activeElement).toBe(screen.getByTestId("sheet"));
});
