import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeStation, renderWith } from "../shared/testing/station";
import { StatusBar } from "./StatusBar";

it("M-01 names the model that answers now, whatever answered when the window was opened", async () => {
  const agents = [{ id: "main", session: "s-1", model: { name: "small", kind: "language" }, mode: "ask", running: null }];
  const { settled } = renderWith(fakeStation({ list_agents: agents }), <StatusBar onKeys={() => undefined} />);
  await settled();
  expect(screen.getByText("main idle · small").tagName).toBe("SPAN");
});
