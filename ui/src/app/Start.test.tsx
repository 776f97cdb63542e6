import { act } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { Router } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { fakeStation, renderWith } from "../testing/station";
import { Start } from "./Start";

beforeEach(() => void (location.hash = ""));

/** A window that opens; its station has been told by `accepted_by`, or by nobody. */
async function open(accepted_by: string | null, meanwhile: () => void = () => undefined) {
  const station = fakeStation({ notice_state: { accepted_by, accepted_at: null } });
  const view = renderWith(
    station,
    <Router hook={useHashLocation}>
      <Start />
    </Router>,
  );
  meanwhile();
  await act(view.settled);
  return location.hash;
}

describe("U-1801 a window that opens", () => {
  it.each([
    ["on setting up", null, "#/welcome"],
    ["on the overview once the notice was accepted", "dana", "#/overview"],
  ])("without an address begins %s", async (_what, accepted_by, hash) => {
    expect(await open(accepted_by)).toBe(hash);
  });

  it("begins the same where the address is written out", async () => {
    expect(await open(null, () => (location.hash = "#/"))).toBe("#/welcome");
  });

  it("goes where somebody has gone before the station answered", async () => {
    expect(await open(null, () => (location.hash = "#/jobs/new"))).toBe("#/jobs/new");
  });
});
