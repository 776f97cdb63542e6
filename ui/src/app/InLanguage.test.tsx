import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { fieldText, parseDecimal } from "../design/fields/decimal";
import { formatUsd } from "../design/format/money";
import { formatNumber, formatPosition } from "../design/format/numbers";
import { AppearanceSection } from "../features/admin/AppearanceSection";
import { speak, t } from "../locales/i18n";
import { stationText } from "../locales/station-words";
import { StopRoot } from "../stop/StopRoot";
import { frame, stop, stopRobot } from "../testing/fixtures";
import { fakeStation, renderWith } from "../testing/station";
import { InLanguage } from "./InLanguage";

const choose = (name: string) => {
  const group = screen.getByRole("radiogroup", { name: /^(Language|Sprache)$/ });
  fireEvent.click(within(group).getByRole("radio", { name }));
};

function show() {
  const station = fakeStation();
  const view = renderWith(
    station,
    <>
      <StopRoot host={station.host} store={station.store} />
      <InLanguage>
        <AppearanceSection />
      </InLanguage>
    </>,
  );
  return { ...view, station };
}

describe("U-2006 the language is chosen beside the theme", () => {
  // A catalogue that is loaded for the first time takes as long as the machine is busy.
  beforeAll(async () => {
    await speak("de");
    await speak("en");
  });
  afterEach(async () => {
    choose("English");
    await screen.findByText("Theme");
    choose("System");
    cleanup();
    await speak("en");
  });

  it("and spoken at once, by words, numbers and money", async () => {
    show();
    choose("Deutsch");
    await screen.findByText("Farbschema");
    expect([formatNumber(1_234.5, 1), formatPosition([1.5, -2, 0], 1), formatUsd(1_240_000)]).toEqual([
      "1.234,5",
      "(1,5; −2,0; 0,0) m",
      "1,24\u00a0$",
    ]);
    choose("English");
    await screen.findByText("Theme");
    expect([formatNumber(1_234.5, 1), formatPosition([1.5, -2, 0], 1), formatUsd(1_240_000)]).toEqual([
      "1,234.5",
      "(1.5, −2.0, 0.0) m",
      "$1.24",
    ]);
  });

  it("and of two that are chosen one after the other the last one is spoken", async () => {
    await Promise.all([speak("de"), speak("en")]);
    expect(t("appearance.theme")).toBe("Theme");
    expect(stationText("error", "already_in_control")).toBeNull();
    show();
  });

  it("and no number typed in one language is another number in the other", async () => {
    show();
    const typed = fieldText(1.125);
    choose("Deutsch");
    await screen.findByText("Farbschema");
    expect(parseDecimal(typed)).toEqual({ problem: "ambiguous" });
    expect([fieldText(1.125), parseDecimal(fieldText(1.125))]).toEqual(["1,125", { value: 1.125 }]);
  });

  it("and STOP ALL keeps its name, its state and its sheet", async () => {
    const { station } = show();
    const reported = frame({ facts: [{ kind: "stop", stop: stop(41, [stopRobot("arm-1"), stopRobot("gate-1")]) }] });
    act(() => station.store.applyFrame(reported, performance.now()));
    const button = () => screen.getByTestId("stop-all");
    expect(button().textContent).toContain("STOPPING 0/2");
    choose("Deutsch");
    await waitFor(() => expect(button().textContent).toContain("STOPPT 0/2"));
    expect(screen.getByRole("button", { name: /^STOP ALL/ })).toBe(button());
    const sheet = within(screen.getByTestId("stop-panel"));
    expect(sheet.getByText("Stillstand")).toBeTruthy();
    expect(sheet.getByText(/STOP ALL ist kein Not-Halt im Sinne/)).toBeTruthy();
  });

  it("and a number that could be two is refused in every region", () => {
    show();
    expect(parseDecimal("1.500", { decimal: "," })).toEqual({ problem: "ambiguous" });
    expect(parseDecimal("1,500", { decimal: "." })).toEqual({ problem: "ambiguous" });
  });
});
