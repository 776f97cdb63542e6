import { fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { HostError } from "../../host/host";
import { robotRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { ArmButton } from "./ArmButton";

const refused = () => {
  throw new HostError("forbidden", "arm-1 is not commissioned.");
};

/** The button in a place that another robot takes. */
function Place() {
  const [id, setId] = useState("arm-1");
  return (
    <>
      <ArmButton robot={robotRow({ id })} state="disarmed" refusal={null} />
      <a href="#other" onClick={() => setId("arm-2")}>
        other
      </a>
    </>
  );
}

const button = () => screen.getByRole("button");

describe("the button that arms and disarms", () => {
  it("keeps the focus while it sends, and sends once", async () => {
    const station = fakeStation({ arm_robot: () => new Promise(() => undefined) });
    renderWith(station, <ArmButton robot={robotRow()} state="disarmed" refusal={null} />);
    button().focus();
    fireEvent.click(button());
    await waitFor(() => expect(button().getAttribute("aria-disabled")).toBe("true"));
    fireEvent.click(button());
    expect([document.activeElement, station.asked.length]).toEqual([button(), 1]);
  });

  it("takes no refusal along to another robot", async () => {
    const { settled } = renderWith(fakeStation({ arm_robot: refused }), <Place />);
    fireEvent.click(button());
    await settled();
    expect(screen.getByText("arm-1 is not commissioned.")).toBeTruthy();
    fireEvent.click(screen.getByText("other"));
    expect(screen.queryByText("arm-1 is not commissioned.")).toBeNull();
  });
});
