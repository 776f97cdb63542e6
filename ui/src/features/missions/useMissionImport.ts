// Files that are brought in as drafts: read here as bytes, sent in calls of a size that the station takes.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { MissionImported } from "../../generated/bindings/MissionImported";
import { useStation } from "../../domain/station/station-context";
import { type HostError, toHostError } from "../../host/host";
import { aboutAgent, operation } from "../../host/operations";
import { t } from "../../locales/i18n";
import { FOLDER_FILES_MAX, FOLDER_MIB_MAX, type LeftOut, openFolders } from "./folder-files";

/** Files and bytes of one call. */
const FILES_A_CALL = 20;
const BYTES_A_CALL = 700 * 1024;

/** A file with its bytes in Base64. */
type Read = { name: string; bytes_base64: string };

/** `pending` until every file has its outcome. */
export type MissionImport = {
  begin: (files: readonly File[], folders?: readonly FileSystemDirectoryEntry[]) => void;
  /** The text of a file that waits for a choice; null if it is no longer held. */
  textOf: (name: string) => string | null;
  /** Says what a person has chosen for a file whose name is taken. */
  settle: (name: string, outcome: "replaced" | "skipped") => void;
  /** Brings a file in under another name. */
  keepBoth: (name: string) => void;
  forget: () => void;
  outcomes: readonly MissionImported[];
  pending: boolean;
  error: HostError | null;
};

/** Files and folders to read, and files to send. */
type Asked = {
  chosen: readonly File[];
  folders: readonly FileSystemDirectoryEntry[];
  read: readonly Read[];
  agent: string | null;
};

export function useMissionImport(): MissionImport {
  const { host, store } = useStation();
  const [outcomes, setOutcomes] = useState<readonly MissionImported[]>([]);
  const [files, setFiles] = useState<readonly Read[]>([]);
  const [error, setError] = useState<HostError | null>(null);
  const note = (told: readonly MissionImported[]) => setOutcomes((before) => merged(before, told));

  const send = async (calls: readonly (readonly Read[])[], agent: string | null): Promise<void> => {
    const [first, ...rest] = calls;
    if (first === undefined) return;
    const input = aboutAgent("import_missions", { files: [...first], on_conflict: "ask" as const }, agent);
    note((await operation(host, "import_missions", input)).files);
    await send(rest, agent);
  };
  const call = useMutation({
    // What is dropped while other files are on their way waits for them.
    scope: { id: "mission-imports" },
    mutationFn: async (asked: Asked) => {
      const { files: inFolders, leftOut } = await openFolders(asked.folders);
      note(leftOut.map(({ name, why }) => refused(name, faultText(why))));
      const found = await Promise.all([...asked.chosen, ...inFolders].map(bytesOf));
      note(found.flatMap((one) => ("outcome" in one ? [one] : [])));
      const read = apart([...asked.read, ...found.flatMap((one) => ("outcome" in one ? [] : [one]))]);
      const names = new Set(read.map(({ name }) => name));
      setFiles((before) => [...before.filter(({ name }) => !names.has(name)), ...read]);
      await send(inCalls(read), asked.agent);
    },
    onError: (thrown) => setError((before) => before ?? toHostError(thrown)),
  });
  const forget = () => {
    setError(null);
    setOutcomes([]);
    setFiles([]);
  };
  const again = (name: string, as: string) => {
    const file = files.find((one) => one.name === name);
    if (file === undefined) return;
    setError(null);
    setFiles((before) => before.filter((one) => one !== file));
    setOutcomes((before) => before.map((one) => (one.name === name ? { ...one, name: as } : one)));
    call.mutate({ chosen: [], folders: [], read: [{ ...file, name: as }], agent: store.agent });
  };
  return {
    begin: (chosen, folders = []) => {
      if (chosen.length === 0 && folders.length === 0) return;
      if (!call.isPending) forget();
      call.mutate({ chosen, folders, read: [], agent: store.agent });
    },
    textOf: (name) => {
      const file = files.find((one) => one.name === name);
      return file === undefined ? null : decoded(file);
    },
    settle: (name, outcome) =>
      setOutcomes((before) => before.map((one) => (one.name === name ? { ...one, outcome, code: null } : one))),
    keepBoth: (name) => again(name, nextName(name)),
    forget,
    outcomes,
    pending: call.isPending,
    error,
  };
}

/** The bytes as text, a byte-order mark included: the station has taken them for UTF-8 already. */
function decoded({ bytes_base64 }: Read): string {
  const bytes = Uint8Array.from(atob(bytes_base64), (letter) => letter.codePointAt(0) ?? 0);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** The next free-looking name: `dock.md`, `dock-2.md`, `dock-3.md`. */
export function nextName(name: string): string {
  const stem = name.replace(/\.md$/, "");
  const counted = /^(.*)-(\d+)$/.exec(stem);
  return counted === null ? `${stem}-2.md` : `${counted[1]}-${Number(counted[2]) + 1}.md`;
}

/** Files with a name each: those of one name from two folders would take each other's outcome, and text. */
function apart(files: readonly Read[]): Read[] {
  const taken = new Set(files.map(({ name }) => name));
  const used = new Set<string>();
  return files.map((file) => {
    let { name } = file;
    if (used.has(name)) while (taken.has(name)) name = nextName(name);
    taken.add(name);
    used.add(name);
    return { ...file, name };
  });
}

/** Files in as few calls as may be; one that is too large for any goes alone, and the station says so. */
export function inCalls(files: readonly Read[]): Read[][] {
  const calls: Read[][] = [];
  let bytes = 0;
  for (const file of files) {
    // Base64 writes three bytes as four letters.
    const size = (file.bytes_base64.length * 3) / 4;
    const last = calls.at(-1);
    if (last === undefined || last.length >= FILES_A_CALL || bytes + size > BYTES_A_CALL) {
      calls.push([file]);
      bytes = size;
    } else {
      last.push(file);
      bytes += size;
    }
  }
  return calls;
}

function merged(before: readonly MissionImported[], answer: readonly MissionImported[]): MissionImported[] {
  const names = new Set(answer.map(({ name }) => name));
  const kept = before.filter(({ name }) => !names.has(name));
  return [...kept, ...answer].sort((a, b) => a.name.localeCompare(b.name));
}

/** A file that this window left out. */
function refused(name: string, message: string): MissionImported {
  return { name, mission_id: null, outcome: "refused", code: null, message };
}

function faultText(why: LeftOut["why"]): string {
  switch (why) {
    case "empty":
      return t("missions.import_folder_empty");
    case "large":
      return t("missions.import_folder_large", { count: FOLDER_FILES_MAX, size: FOLDER_MIB_MAX });
    case "unreadable":
      return t("missions.import_folder_unreadable");
  }
}

/** The bytes of a file, or the reason why there are none to send. */
function bytesOf(file: File): Promise<Read | MissionImported> {
  // The station takes no such file; one of gigabytes would stop the window while it is read.
  if (file.size > BYTES_A_CALL) return Promise.resolve(refused(file.name, t("missions.import_too_large")));
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const url = typeof reader.result === "string" ? reader.result : "";
      resolve({ name: file.name, bytes_base64: url.slice(url.indexOf(",") + 1) });
    });
    // A folder comes as a file that cannot be read. The others are taken all the same.
    reader.addEventListener("error", () => resolve(refused(file.name, t("missions.import_unreadable"))));
    reader.readAsDataURL(file);
  });
}
