import { screen, waitFor } from "@testing-library/react";
import { lazy } from "react";
import { expect, it } from "vitest";
import { fakeStation, renderWith } from "../../testing/station";
import { LazyPart } from "./LazyPart";

/** A part whose code is here once `arrive` was called. */
function lateCode() {
  let arrive = () => undefined as void;
  const code = new Promise<{ default: () => string }>((resolve) => {
    arrive = () => resolve({ default: () => "the part" });
  });
  return { Part: lazy(() => code), arrive };
}

it("says what it waits for until the code is here", async () => {
  const { Part, arrive } = lateCode();
  const { settled, container } = renderWith(
    fakeStation(),
    <LazyPart wait="Loading the part…">
      <Part />
    </LazyPart>,
  );
  expect(screen.getByText("Loading the part…").getAttribute("aria-busy")).toBe("true");
  arrive();
  await settled();
  expect(container.textContent).toBe("the part");
});

it("a settled page has its late parts, and those within them", async () => {
  const outer = lateCode();
  const inner = lateCode();
  const { settled, container } = renderWith(
    fakeStation(),
    <LazyPart>
      <outer.Part /> and{" "}
      <LazyPart>
        <inner.Part />
      </LazyPart>
    </LazyPart>,
  );
  let isSettled = false;
  const done = settled().then(() => (isSettled = true));
  outer.arrive();
  await waitFor(() => expect(container.textContent).toBe("the part and "));
  expect(isSettled).toBe(false);
  inner.arrive();
  await done;
  expect(container.textContent).toBe("the part and the part");
});
