import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { HostError } from "../../host/host";
import { inGerman } from "../../testing/german";
import { fakeStation, renderWith } from "../../testing/station";
import { CredentialsForm, Exported } from "./CredentialsForm";
import { RouterRules } from "./RouterRules";

const MADE = { folder: "/srv/one", files: ["router.json5"], certificates: [], left_out: [], restart_needed: true };

/** A station that makes the first export and refuses every other one. */
function once() {
  let count = 0;
  return fakeStation(
    {
      issue_credentials: () => {
        count += 1;
        if (count > 1) throw new HostError("forbidden", "The folder is there already.");
        return MADE;
      },
    },
    { role: "admin" },
  );
}

async function send(field: string, button: string, folder: string) {
  fireEvent.change(screen.getByTestId(field), { target: { value: folder } });
  await act(async () => void fireEvent.click(screen.getByTestId(button)));
}

it("an export that is refused does not stand beside the files of the one before", async () => {
  renderWith(once(), <CredentialsForm address="router.lab:7447" />);
  await send("credentials-folder", "credentials-make", "/srv/one");
  await waitFor(() => expect(screen.getByTestId("credentials-made").textContent).toContain("1 file is in /srv/one"));
  await send("credentials-folder", "credentials-make", "/srv/two");
  expect(await screen.findByText(/there already/)).toBeTruthy();
  expect(screen.queryByTestId("credentials-made")).toBeNull();
});

it("rules that are refused do not stand beside those of the export before", async () => {
  renderWith(once(), <RouterRules />);
  await send("pairing-rules-folder", "pairing-rules", "/srv/one");
  expect(await screen.findByText(/The rules are in \/srv\/one/)).toBeTruthy();
  await send("pairing-rules-folder", "pairing-rules", "/srv/two");
  expect(await screen.findByText(/there already/)).toBeTruthy();
  expect(screen.queryByText(/The rules are in/)).toBeNull();
});

describe("the number of files in German", () => {
  inGerman();
  it.each([
    [["a"], "1 Datei liegt in /srv/one"],
    [["a", "b"], "2 Dateien liegen in /srv/one"],
  ])("%o", (files, said) => {
    renderWith(fakeStation(), <Exported made={{ ...MADE, files }} />);
    expect(screen.getByTestId("credentials-made").textContent).toContain(said);
  });
});
