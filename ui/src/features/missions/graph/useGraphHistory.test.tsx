import { act, renderHook, waitFor } from "@testing-library/react";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { HostError } from "../../../host/host";
import { createQueryClient } from "../../../host/query";
import { StationContext } from "../../../domain/station/station-context";
import { fakeStation } from "../../../testing/station";
import type { MissionEdit } from "./file-writes";
import { type Change, NO_HISTORY, withChange } from "./history";
import { useGraphHistory } from "./useGraphHistory";

type Save = { base_hash: string | null; source?: string; edits?: MissionEdit[] };

/** A file whose hash is `h` and its text; every edit adds a letter to it. Null while there is none. */
function show() {
  const file: { text: string | null; isUnderWay: boolean } = { text: "a", isUnderWay: false };
  const hash = () => (file.text === null ? null : `h${file.text}`);
  const present = () => ({ source: file.text, hash: hash(), flags: file.text === null ? ["file_missing"] : [] });
  const saved: Save[] = [];
  const check = (base: string | null) => {
    if (base !== hash()) throw new HostError("file_changed", "Another.", present(), 409);
  };
  const station = fakeStation({
    get_mission: present,
    save_mission: (input: Save) => {
      check(input.base_hash);
      saved.push(input);
      file.text = input.source ?? `${file.text}+`;
      return { hash: hash(), source: file.text, problems: [] };
    },
    remove_mission: ({ base_hash }: { base_hash: string }) => {
      if (file.isUnderWay) throw new HostError("mission_live", "Under way.", null, 409);
      check(base_hash);
      const source = file.text;
      file.text = null;
      return { message: "Put away.", source };
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

/** The file with this text, as it was on the screen. */
const seen = (text: string) => ({ hash: `h${text}`, source: text });

const REMOVE: MissionEdit = { remove_entry: { key: "goals", index: 1 } };

it("makes no edit by its place of a file that is not the one on the screen", async () => {
  const { file, saved, history, does } = show();
  file.text = "b";
  await does(() => history().edit("dock", [REMOVE], seen("a")));
  expect([saved.length, history().error?.code]).toEqual([0, "file_changed"]);
  await does(() => history().edit("dock", [REMOVE], seen("b")));
  expect([saved.length, history().error]).toEqual([1, null]);
});

it("makes an edit of a file that this window has just made of the one on the screen", async () => {
  const { saved, history, does } = show();
  await does(() => {
    history().edit("dock", [REMOVE], seen("a"));
    history().edit("dock", [REMOVE], seen("a"));
  });
  expect(saved.map(({ base_hash }) => base_hash)).toEqual(["ha", "ha+"]);
});

it("makes an edit of a file that this window has just put back", async () => {
  const { saved, history, does } = show();
  await does(() => history().edit("dock", [REMOVE], seen("a")));
  await does(() => history().undo());
  // The screen still shows the file that was undone.
  await does(() => history().edit("dock", [REMOVE], seen("a+")));
  expect([saved.length, history().error]).toEqual([3, null]);
});

it("says that an edit was refused, also when another one has followed it", async () => {
  const { history, does } = show();
  await does(() => {
    history().edit("dock", [REMOVE], seen("x"));
    history().edit("dock", [{ add_dependency: "yard" }]);
  });
  expect(history().error?.code).toBe("file_changed");
});

it("ME-06 undoes nothing over a file that changed meanwhile before both texts were read", async () => {
  const { file, history, does } = show();
  act(() => history().moved({ dock: null }, { dock: [1, 1] }));
  await does(() => history().edit("dock", [REMOVE], seen("a")));
  file.text = "theirs";
  await does(() => history().undo());
  const { open } = history().conflict;
  expect([open?.mine, open?.now.source, file.text]).toEqual(["a", "theirs", "theirs"]);
  // Closed without a choice, it is asked again.
  act(() => history().conflict.close());
  await does(() => history().undo());
  expect(history().conflict.open?.mine).toBe("a");
  // Theirs stays, and the step is in the way of nothing older.
  act(() => history().conflict.keepNow());
  await does(() => history().undo());
  expect([history().canUndo, history().error, file.text]).toEqual([false, null, "theirs"]);
});

it("ME-06 an undo that was chosen over their text can itself be undone to theirs", async () => {
  const { file, history, does } = show();
  await does(() => history().edit("dock", [REMOVE], seen("a")));
  file.text = "theirs";
  await does(() => history().undo());
  file.text = "theirs again";
  // What is written over is always what was read.
  await does(() => history().conflict.putMine());
  expect([file.text, history().conflict.open?.now.source]).toEqual(["theirs again", "theirs again"]);
  await does(() => history().conflict.putMine());
  expect([file.text, history().conflict.open]).toEqual(["a", null]);
  await does(() => history().undo());
  expect([file.text, history().canUndo]).toEqual(["theirs again", false]);
});

it("shows what an edit was made of beside the file that came in between", async () => {
  const { file, history, does } = show();
  file.text = "b";
  await does(() => history().edit("dock", [REMOVE], seen("a")));
  expect([history().conflict.open?.mine, history().conflict.open?.now.source]).toEqual(["a", "b"]);
});

it("ME-06 makes a missing file again, and takes that back", async () => {
  const { file, history, does } = show();
  file.text = null;
  await does(() => history().restore("dock", "back"));
  expect(file.text).toBe("back");
  await does(() => history().undo());
  expect(file.text).toBeNull();
  await does(() => history().redo());
  expect(file.text).toBe("back");
});

it("a step back that the station refuses for good stands in the way of nothing older", async () => {
  const { file, history, does } = show();
  await does(() => history().edit("yard", [REMOVE], seen("a")));
  file.text = null;
  await does(() => history().restore("dock", "back"));
  file.isUnderWay = true;
  await does(() => history().undo());
  expect([history().error?.code, history().canUndo]).toEqual(["mission_live", true]);
});

it("ME-06 values of one field that follow one another within half a second are one step", () => {
  const typed = (before: string, after: string, at_ms: number, of = "title"): Change => {
    return { kind: "text", id: "dock", before: seen(before), after: seen(after), typing: { of, at_ms } };
  };
  const stepsOf = (...changes: Change[]) => changes.reduce(withChange, NO_HISTORY).done;
  const joined = stepsOf(typed("a", "b", 0), typed("b", "c", 400), typed("c", "d", 800));
  expect(joined).toMatchObject([{ before: seen("a"), after: seen("d") }]);
  expect(stepsOf(typed("a", "b", 0), typed("b", "c", 500))).toHaveLength(2);
  expect(stepsOf(typed("a", "b", 0), typed("b", "c", 100, "expires"))).toHaveLength(2);
  // Somebody else has written in between.
  expect(stepsOf(typed("a", "b", 0), typed("x", "c", 100))).toHaveLength(2);
});

it("ME-06 the form's fields are typed, connections are not", async () => {
  const { history, does } = show();
  const title: MissionEdit = { set: { key: "title", value: "x" } };
  await does(() => {
    history().edit("dock", [title], seen("a"));
    history().edit("dock", [title], seen("a"));
  });
  await does(() => history().undo());
  expect(history().canUndo).toBe(false);
  await does(() => {
    history().edit("dock", [{ add_dependency: "yard" }]);
    history().edit("dock", [{ add_dependency: "gate" }]);
  });
  await does(() => history().undo());
  expect(history().canUndo).toBe(true);
});

it("a file that a step brought back is the one that was saved last", async () => {
  const { history, does } = show();
  await does(() => history().edit("dock", [REMOVE], seen("a")));
  await does(() => history().edit("dock", [REMOVE], seen("a+")));
  expect(history().saved).toEqual({ hash: "ha++", passed: ["ha", "ha+"] });
  await does(() => history().undo());
  expect(history().saved).toEqual({ hash: "ha+", passed: ["ha", "ha++"] });
});

it("ME-06 undoes and does again what was changed before a look at another screen", async () => {
  const { file, history, does, comeBack } = show();
  await does(() => history().edit("dock", [REMOVE], seen("a")));
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
  await does(() => history().edit("dock", [REMOVE], seen("a")));
  act(() => station.store.chooseAgent("other"));
  comeBack();
  expect(history().canUndo).toBe(false);
});
