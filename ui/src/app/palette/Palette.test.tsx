import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { HostError } from "../../host/host";
import { toasts } from "../../design/components/toast-queue";
import { frame, robotRow, stop } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { Palette } from "./Palette";
import { TypedAhead } from "./typed-ahead";

const ROWS = {
  list_robots: [robotRow({ id: "arm-1" }), robotRow({ id: "rover-1" })],
  list_missions: [],
  list_alarms: [],
  list_proposals: [],
  list_beliefs: [],
  memory_search: { items: [], partial: false, keyword_only: false },
};

function open(answers: Record<string, unknown> = {}) {
  const station = fakeStation({ ...ROWS, ...answers });
  const onClose = vi.fn();
  const typedAhead = new TypedAhead();
  return { ...renderWith(station, <Palette typedAhead={typedAhead} onClose={onClose} />), station, onClose };
}

/** Types as somebody does at the field that has the focus. */
async function type(words: string) {
  fireEvent.input(await screen.findByTestId("palette"), { target: { value: words }, inputType: "insertText" });
}

describe("FU-13 the palette", () => {
  beforeEach(() => (location.hash = "/overview"));

  it("takes the focus, and goes to what is chosen", async () => {
    const { settled, onClose } = open();
    await settled();
    expect(document.activeElement).toBe(await screen.findByTestId("palette"));
    await type("rover");
    fireEvent.click(await screen.findByRole("option", { name: /^rover-1/ }));
    expect(onClose).toHaveBeenCalledOnce();
    expect(location.pathname).toBe("/world/rover-1");
  });

  it("closes on the first Escape, whatever is written", async () => {
    const { onClose } = open();
    await type("rover");
    fireEvent.keyDown(await screen.findByTestId("palette"), { key: "Escape" });
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("names the groups of what it has found", async () => {
    open();
    await type("arm-1");
    const robots = await screen.findByRole("group", { name: "Robots" });
    expect(within(robots).getByRole("option", { name: /^arm-1/ })).toBeTruthy();
    expect(await screen.findByRole("group", { name: "Act" })).toBeTruthy();
  });

  it("stays open and says why when the station refuses an act", async () => {
    const { settled, onClose, station } = open({
      hold_robot: () => {
        throw new HostError("not_armable", "rover-1 does not answer.");
      },
    });
    await type("hold rover");
    fireEvent.click(await screen.findByRole("option", { name: /Hold rover-1/ }));
    await settled();
    expect(station.asked).toContainEqual({ name: "hold_robot", input: { robot: "rover-1" } });
    expect(await screen.findByText(/not_armable/)).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
  });

  it("says that an act was refused after it was closed", async () => {
    let refuse = () => undefined as void;
    const answer = new Promise((_, reject) => {
      refuse = () => reject(new HostError("not_armable", "rover-1 does not answer."));
    });
    const { unmount } = open({ hold_robot: () => answer });
    await type("hold rover");
    fireEvent.click(await screen.findByRole("option", { name: /Hold rover-1/ }));
    await screen.findByText("Sending…");
    unmount();
    await act(async () => refuse());
    await waitFor(() => expect(toasts.visibleToasts.map(({ content }) => content.isRefusal)).toEqual([true]));
    act(() => toasts.clear());
  });

  it("offers a stop for as long as it is open", async () => {
    const { station } = open();
    const report = (open: boolean) =>
      act(() => station.store.applyFrame(frame({ facts: [{ kind: "stop", stop: { ...stop(7, []), open } }] }), 0));
    report(true);
    await screen.findByRole("option", { name: /Open stop/ });
    report(false);
    await waitFor(() => expect(screen.queryByRole("option", { name: /Open stop/ })).toBeNull());
  });
});
