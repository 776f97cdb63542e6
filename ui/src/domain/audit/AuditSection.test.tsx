import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { HostError } from "../../host/host";
import { fakeStation, renderWith } from "../../testing/station";
import { AuditSection } from "./AuditSection";

it("an audit that was intact is not called intact while it is checked again, nor when that is refused", async () => {
  let refuses = false;
  const station = fakeStation({
    verify_audit: () => {
      if (refuses) throw new HostError("no_answer", "late");
      return { intact: true, verified: 812, first_broken_seq: null, signed_up_to: 800, accepted_up_to: null };
    },
  });
  renderWith(station, <AuditSection />);
  const verify = () => act(async () => void fireEvent.click(screen.getByTestId("verify-audit")));
  await verify();
  expect(await screen.findByText("Intact up to record 812, signed up to record 800")).toBeTruthy();
  refuses = true;
  await verify();
  expect(await screen.findByText(/did not answer in time/)).toBeTruthy();
  expect(screen.getByTestId("audit-check").textContent).toBe("");
});
