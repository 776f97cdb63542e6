import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { proposal } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { Facts } from "./Facts";
import { Payload } from "./Payload";
import { ProposalCard } from "./ProposalCard";

it("U-1202 a payload hides nothing: characters that turn the writing round stand as their escapes", () => {
  const input = { robot: "arm-1", note: "go\u202Eyats\u2069 \u200Bon" };
  const { container } = renderWith(fakeStation(), <Payload proposal={proposal({ input })} />);
  const shown = container.querySelector("pre")?.textContent ?? "";
  expect(shown).toContain("go\\u202eyats\\u2069 \\u200bon");
  expect(JSON.parse(shown)).toEqual(input);
});

it("words of an agent do not turn round what stands beside them", () => {
  const reason = "\u202Estop the robot";
  renderWith(fakeStation(), <ProposalCard proposal={proposal({ reason })} asked_ms={0} compact />);
  expect(screen.getByText(`“${reason}”`).tagName).toBe("BDI");
  const facts = [{ key: "person.location", value: "\u202Ehall", age_ms: 9, freshness: "live" as const }];
  renderWith(fakeStation(), <Facts proposal={proposal({ facts })} asked_ms={0} />);
  expect(screen.getByText("\u202Ehall").tagName).toBe("BDI");
});
