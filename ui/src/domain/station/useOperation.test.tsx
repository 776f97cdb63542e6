import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeStation, renderWith } from "../../testing/station";
import { useOperation } from "./useOperation";

function Grant() {
  const grant = useOperation("hold_robot");
  return (
    <button type="button" onClick={() => grant.run({ robot: "arm-1" })}>
      hold
    </button>
  );
}

it("U-104 both clicks of a double click on a busy window are one call, and a later click another", async () => {
  const station = fakeStation({ hold_robot: {} });
  const { settled } = renderWith(station, <Grant />);
  const button = screen.getByRole("button");
  act(() => {
    button.click();
    button.click();
  });
  await settled();
  expect(station.asked).toHaveLength(1);
  act(() => button.click());
  await settled();
  expect(station.asked).toHaveLength(2);
});

it("U-104 a refused call can be made again", async () => {
  const station = fakeStation();
  const { settled } = renderWith(station, <Grant />);
  act(() => screen.getByRole("button").click());
  await settled();
  act(() => screen.getByRole("button").click());
  await settled();
  expect(station.asked).toHaveLength(2);
});
