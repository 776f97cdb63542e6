import { act, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { useMapsChoice } from "./useMaps";

beforeEach(() => localStorage.clear());

function Page({ hasPlan }: { hasPlan: boolean }) {
  const { shown, setShown } = useMapsChoice(hasPlan);
  return <button onClick={() => setShown(!shown)}>{shown ? "on" : "off"}</button>;
}

describe("U-1102 the maps of a desk", () => {
  it("are shown where no plan is, until somebody chooses, in any window", () => {
    render(<Page hasPlan />);
    expect(screen.getByRole("button").textContent).toBe("off");
    act(() => screen.getByRole("button").click());
    expect(screen.getByRole("button").textContent).toBe("on");
    localStorage.setItem("quarterdeck.maps", "off");
    act(() => void dispatchEvent(new Event("storage")));
    expect(screen.getByRole("button").textContent).toBe("off");
  });
});
