import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { toasts } from "../design/components/toast-queue";
import { useCommandRefusal } from "../domain/station/useCommandRefusal";
import { HostError } from "../host/host";
import { frame, robotSafety } from "../testing/fixtures";
import { fakeStation, renderWith } from "../testing/station";
import { GrantBanner } from "./GrantBanner";
import { LockBanner } from "./LockBanner";
import { LockButton } from "./LockButton";

function Refused() {
  return <p data-testid="refused">{useCommandRefusal()}</p>;
}

const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)));

describe("U-1703 a locked desk", () => {
  it("says so, refuses commands with that reason, and is unlocked again", async () => {
    const station = fakeStation({
      lock_screen: { role: "viewer", until_mono_ms: null },
      unlock_screen: { role: "operator", until_mono_ms: null },
    });
    renderWith(
      station,
      <>
        <LockBanner />
        <LockButton />
        <Refused />
      </>,
    );
    expect(screen.queryByTestId("locked")).toBeNull();
    await press("lock");
    expect([screen.getByTestId("refused").textContent, screen.queryByTestId("lock")]).toEqual([
      "this desk is locked",
      null,
    ]);
    await press("unlock");
    expect([
      screen.getByTestId("refused").textContent,
      screen.queryByTestId("locked"),
      station.store.session?.role,
    ]).toEqual(["", null, "operator"]);
  });

  it("says that it could not be locked", async () => {
    const lock_screen = () => {
      throw new HostError("no_answer", "The station did not answer in time.");
    };
    const { settled } = renderWith(fakeStation({ lock_screen }), <LockButton />);
    await press("lock");
    await settled();
    expect(toasts.visibleToasts.map(({ content }) => content.text)).toEqual(["The station did not answer in time."]);
    act(() => toasts.clear());
  });

  it("is offered to nobody who only looks anyway", () => {
    renderWith(fakeStation({}, { role: "viewer" }), <LockButton />);
    expect(screen.queryByTestId("lock")).toBeNull();
  });
});

it("a grant stands on every screen while it lasts, with the way to its end", () => {
  const station = fakeStation();
  renderWith(station, <GrantBanner />);
  const report = (unconstrained_until_mono_ms: number | null) =>
    act(() =>
      station.store.applyFrame(
        frame({ facts: [{ kind: "robot_safety", safety: robotSafety({ unconstrained_until_mono_ms }) }] }),
        performance.now(),
      ),
    );
  report(70_000);
  expect([screen.getByTestId("granted-arm-1").querySelector("a")?.textContent]).toEqual(["Open Safety of arm-1"]);
  report(null);
  expect(screen.queryByTestId("granted-arm-1")).toBeNull();
});
