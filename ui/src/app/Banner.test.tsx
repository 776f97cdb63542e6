import { act, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { LiveStore } from "../host/live-store";
import { inGerman } from "../testing/german";
import { fakeStation, renderWith } from "../testing/station";
import { StationContext } from "../domain/station/station-context";
import { Banner } from "./Banner";

const CROWDED = /^Too many windows listen to the station. Close one of the others/;

describe("a station that too many windows listen to", () => {
  it("is named to a window that never heard it", () => {
    const station = { host: fakeStation().host, store: new LiveStore() };
    render(
      <StationContext value={station}>
        <Banner />
      </StationContext>,
    );
    act(() => station.store.setConnected(false, true));
    expect(screen.getByRole("status").textContent).toMatch(CROWDED);
    act(() => station.store.setConnected(false));
    expect(screen.queryByText(CROWDED)).toBeNull();
  });

  it("is named to a window that has lost it, beside what is lost", () => {
    const station = fakeStation();
    renderWith(station, <Banner />);
    act(() => station.store.tick(performance.now() + 60_000));
    expect(screen.queryByText(CROWDED)).toBeNull();
    act(() => station.store.setConnected(false, true));
    expect(screen.getByText(CROWDED).closest("[data-testid]")).toBe(screen.getByTestId("station-lost"));
  });

  describe("in German", () => {
    inGerman();
    it("is named too", () => {
      const station = fakeStation();
      renderWith(station, <Banner />);
      act(() => station.store.tick(performance.now() + 60_000));
      act(() => station.store.setConnected(false, true));
      expect(screen.getByText(/^Zu viele Fenster sind mit der Station verbunden/)).toBeTruthy();
    });
  });
});
