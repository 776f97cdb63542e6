import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { HostError } from "../../host/host";
import { later } from "../../testing/later";
import { fakeStation, renderWith } from "../../testing/station";
import { AddRobot } from "./AddRobot";

function show(answers: Record<string, unknown> = {}) {
  const station = fakeStation(answers, { role: "admin" });
  return renderWith(station, <AddRobot />);
}

type Reading = { file: File; done: (text: string) => void; failed: () => void };

/** A file whose reading ends when the test says so. */
function slowFile(): Reading {
  const file = new File([], "manifest.toml");
  const reading = later<string>();
  file.text = () => reading.promise;
  return { file, done: reading.resolve, failed: () => reading.reject(new Error("NotReadableError")) };
}

const choose = ({ file }: Reading) =>
  fireEvent.change(screen.getByTestId("manifest-file"), { target: { files: [file] } });
const text = () => screen.getByTestId<HTMLTextAreaElement>("manifest-text").value;

it("says that a file cannot be read, and keeps what is written", async () => {
  show();
  fireEvent.change(screen.getByTestId("manifest-text"), { target: { value: "mine" } });
  const folder = slowFile();
  choose(folder);
  await act(async () => folder.failed());
  expect(screen.getByTestId("manifest-unreadable").textContent).toBe("The file cannot be read.");
  expect(text()).toBe("mine");
});

it("shows the file that was chosen last, whichever was read first", async () => {
  show();
  const [first, second] = [slowFile(), slowFile()];
  choose(first);
  choose(second);
  await act(async () => second.done("second"));
  await act(async () => first.done("first"));
  expect(text()).toBe("second");
});

it("says why a manifest could not be checked at all", async () => {
  const { settled } = show({
    check_manifest: () => {
      throw new HostError("no_answer", "late");
    },
  });
  fireEvent.change(screen.getByTestId("manifest-text"), { target: { value: "[robot]" } });
  expect(await screen.findByText(/did not answer in time/)).toBeTruthy();
  await settled();
});
