import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { fakeStation, renderWith } from "../../testing/station";
import { AnyScene } from "./AnyScene";
import { buildScene } from "./flat/scene-model";

vi.mock("./space/scene3d", () => ({
  Scene3d: vi.fn(function fail() {
    throw new Error("the graphics context is lost");
  }),
}));
// jsdom has no pen, and complains about that.
HTMLCanvasElement.prototype.getContext = () => null;

describe("U-1104 three dimensions", () => {
  it("give way to the flat scene where graphics fail while they are set up", async () => {
    const model = { ...buildScene([], [], []), undrawn_limits: ["arm-1"] };
    renderWith(fakeStation(), <AnyScene model={model} view="space" focus={null} onView={() => undefined} />);
    await screen.findByTestId("scene-off");
    expect(screen.getByTestId("undrawn-limits").textContent).toContain("arm-1");
  });
});
