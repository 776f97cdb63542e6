import { act, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { DeskStatus } from "../generated/bindings/DeskStatus";
import type { RemoteLink } from "../generated/bindings/RemoteLink";
import { Desk } from "../host/desk";
import { fakeStation, renderWith } from "../testing/station";
import { RemoteBar } from "./RemoteBar";

const STATION = { name: "lab", address: "10.0.0.5:8420", fingerprint: "AB" };

async function show(link: RemoteLink | null) {
  const remote = link === null ? null : { station: STATION, token_kept: true, link };
  const status: DeskStatus = { remote, stations: [STATION], stop: null, looked: null };
  const station = fakeStation();
  station.host.desk = new Desk(
    async () => status,
    () => undefined,
  );
  renderWith(station, <RemoteBar />);
  await act(async () => void (await station.host.desk?.act({ act: "status" })));
}

describe("RD-07 the bar of a station elsewhere", () => {
  it("is absent at this computer's own station", async () => {
    await show(null);
    expect(screen.queryByTestId("remote-bar")).toBeNull();
  });

  it("names the station, its address, the age of the link and the way back", async () => {
    await show({ state: "up" });
    const bar = screen.getByTestId("remote-bar");
    expect(bar.textContent).toContain("lab");
    expect(bar.textContent).toContain("10.0.0.5:8420");
    expect(screen.getByTestId("remote-age").textContent).toMatch(/heard .* ago/);
    expect(screen.getByTestId("remote-leave")).toBeTruthy();
  });

  it.each<[string, RemoteLink, string]>([
    ["a lost link with its reason", { state: "lost", sentence: "nothing was heard" }, "nothing was heard"],
    ["a token that is no longer accepted", { state: "signed_out" }, "no longer accepts the token"],
    ["both fingerprints of a changed certificate", { state: "certificate_changed", pinned: "AB", shown: "CD" }, "CD"],
  ])("tells %s", async (_what, link, words) => {
    await show(link);
    expect(screen.getByRole("alert").textContent).toContain(words);
  });
});
