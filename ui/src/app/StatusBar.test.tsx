import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeStation, renderWith } from "../testing/station";
import { StatusBar } from "./StatusBar";

async function shows(running: string | null, words: string): Promise<void> {
  const agents = [{ id: "main", session: "s-1", model: { name: "small", kind: "language" }, mode: "ask", running }];
  const { settled } = renderWith(fakeStation({ list_agents: agents }), <StatusBar onKeys={() => undefined} />);
  await settled();
  expect(screen.getByText(words).tagName).toBe("SPAN");
}

it("M-01 names the model that answers now, whatever answered when the window was opened", () =>
  shows(null, "main idle · small"));

it("calls an agent busy whose reply began before the window was opened", () => shows("turn-1", "main working · small"));
