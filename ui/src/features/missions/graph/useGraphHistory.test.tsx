import { act, renderHook, waitFor } from "@testing-library/react";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { HostError } from "../../../host/host";
import { createQueryClient } from "../../../host/query";
import { StationContext } from "../../../domain/station/station-context";
import { fakeStation } from "../../../testing/station";
import { type MissionEdit, useGraphHistory } from "./useGraphHistory";

type Save = { base_hash: string; source?: string; edits?: MissionEdit[] };

/** A file whose hash is `h` and its text; every edit adds a letter to it. */
function show() {
  const file = { text: "a" };
  const saved: Save[] = [];
  const station = fakeStation({
    get_mission: () => ({ source: file.text, hash: `h${file.text}` }),
    save_mission: (input: Save) => {
      if (input.base_hash !== `h${file.text}`) throw new HostError("file_changed", "Another.", null, 409);
      saved.push(input);
      file.text = input.source ?? `${file.text}+`;
      return { hash: `h${file.text}`, source: file.text, problems: [] };
    },
  });
  const queries = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StationContext value={station}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </StationContext>
  );
  const begin = () => renderHook(() => useGraphHistory(() => undefined), { wrapper });
  let { result, unmount } = begin();
  const comeBack = () => {
    unmount();
    ({ result, unmount } = begin());
  };
  const done = () => waitFor(() => expect(result.current.pending).toBe(false));
  const does = async (change: () => void) => {
    act(change);
    await waitFor(() => expect(queries.isMutating()).toBe(0));
    await done();
  };
  return { file, saved, station, history: () => result.current, does, comeBack };
}

const REMOVE: MissionEdit = { remove_entry: { key: "goals", index: 1 } };

it("makes no edit by its place of a file that is not the one on the screen", async () => {
  const { file, saved, history, does } = show();
  file.text = "b";
  await does(() => history().edit("dock", [REMOVE], "ha"));
  expect([saved.length, history().error?.code]).toEqual([0, "file_changed"]);
  await does(() => history().edit("dock", [REMOVE], "hb"));
  expect([saved.length, history().error]).toEqual([1, null]);
});

it("makes an edit of a file that this window has just made of the one on the screen", async () => {
  const { saved, history, does } = show();
  await does(() => {
    history().edit("dock", [REMOVE], "ha");
    history().edit("dock", [REMOVE], "ha");
  });
  expect(saved.map(({ base_hash }) => base_hash)).toEqual(["ha", "ha+"]);
});

it("makes an edit of a file that this window has just put back", async () => {
  const { saved, history, does } = show();
  await does(() => history().edit("dock", [REMOVE], "ha"));
  await does(() => history().undo());
  // The screen still shows the file that was undone.
  await does(() => history().edit("dock", [REMOVE], "ha+"));
  expect([saved.length, history().error]).toEqual([3, null]);
});

it("says that an edit was refused, also when another one has followed it", async () => {
  const { history, does } = show();
  await does(() => {
    history().edit("dock", [REMOVE], "hx");
    history().edit("dock", [{ add_dependency: "yard" }]);
  });
  expect(history().error?.code).toBe("file_changed");
});

it("undoes older changes once the newest can be undone no more", async () => {
  const { file, history, does } = show();
  act(() => history().moved({ dock: null }, { dock: [1, 1] }));
  await does(() => history().edit("dock", [REMOVE], "ha"));
  file.text = "theirs";
  await does(() => history().undo());
  expect([history().error?.code, file.text, history().canUndo]).toEqual(["file_changed", "theirs", true]);
  await does(() => history().undo());
  expect([history().canUndo, history().error]).toEqual([false, null]);
});

it("ME-06 undoes and does again what was changed before a look at another screen", async () => {
  const { file, history, does, comeBack } = show();
  await does(() => history().edit("dock", [REMOVE], "ha"));
  comeBack();
  expect(history().canUndo).toBe(true);
  await does(() => history().undo());
  expect(file.text).toBe("a");
  comeBack();
  await does(() => history().redo());
  expect(file.text).toBe("a+");
});

it("ME-06 undoes no change of one agent in the missions of another", async () => {
  const { station, history, does, comeBack } = show();
  await does(() => history().edit("dock", [REMOVE], "ha"));
  act(() => station.store.chooseAgent("other"));
  comeBack();
  expect(history().canUndo).toBe(false);
});
