import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HostError } from "../../host/host";
import { inGerman } from "../../testing/german";
import { fakeStation, renderWith } from "../../testing/station";
import { CameraPanes } from "./CameraPanes";

const CAMERA = { id: "cell", encoding: "jpeg" as const, rate_hz: 5, max_age_ms: 2_000 };
const FACTS = {
  robot: "arm-1",
  camera: "cell",
  observed_mono_ms: 10_000,
  newer: true,
  width_px: 320,
  height_px: 240,
  rate_hz: 5,
  fault: null,
  detections: null,
};

/** A picture of the station: a JPEG that begins with its facts. */
function picture(): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(FACTS));
  const bytes = new Uint8Array(6 + text.length);
  bytes.set([0xff, 0xd8, 0xff, 0xfe, (text.length + 2) >> 8, (text.length + 2) & 0xff]);
  bytes.set(text, 6);
  return bytes.buffer;
}

/** Everything is in sight. */
class Observer {
  readonly #seen: IntersectionObserverCallback;
  constructor(seen: IntersectionObserverCallback) {
    this.#seen = seen;
  }
  observe(): void {
    this.#seen([{ isIntersecting: true } as IntersectionObserverEntry], this as unknown as IntersectionObserver);
  }
  disconnect(): void {}
}

function show(camera_frame: unknown) {
  const station = fakeStation({ camera_frame });
  const view = renderWith(station, <CameraPanes cameras={[{ robot: "arm-1", camera: CAMERA }]} />);
  station.store.tick(performance.now());
  const stop = station.store.startTicker(() => performance.now());
  return () => {
    stop();
    view.unmount();
  };
}

beforeEach(() => {
  vi.stubGlobal("IntersectionObserver", Observer);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a picture that cannot be shown", () => {
  it("is not passed off as the one before, nor as a station that is away", async () => {
    vi.stubGlobal("createImageBitmap", () => Promise.reject(new DOMException("no picture", "InvalidStateError")));
    const end = show((input: { after_mono_ms?: number }) => (input.after_mono_ms === undefined ? picture() : FACTS));
    expect((await screen.findByTestId("camera-trouble")).textContent).toBe("No picture yet");
    await waitFor(() =>
      expect(screen.getByTestId("camera-trouble").textContent).toBe("The newest message is not a JPEG."),
    );
    end();
  });

  it("has no rate once nobody counts it", async () => {
    vi.stubGlobal("createImageBitmap", () => Promise.reject(new DOMException("no picture", "InvalidStateError")));
    let away = false;
    const end = show(() => {
      if (away) throw new HostError("unreachable", "The station cannot be reached.");
      return picture();
    });
    await screen.findByText("shown 0.0 of 5.0 Hz");
    away = true;
    await waitFor(() => expect(screen.queryByText("shown 0.0 of 5.0 Hz")).toBeNull());
    end();
  });

  describe("in a German window", () => {
    inGerman();
    it("says in German why no picture comes", async () => {
      const end = show(() => {
        throw new HostError("unreachable", "The station cannot be reached.");
      });
      await waitFor(() =>
        expect(screen.getByTestId("camera-trouble").textContent).toBe("Die Station ist nicht erreichbar."),
      );
      end();
    });
  });
});
