// Mission files of folders that were dropped: those that lie in the folder itself, within bounds.

/** Entries of one folder that are looked at. */
const ENTRIES_MAX = 2_000;
/** Mission files of all folders of one drop. */
export const FOLDER_FILES_MAX = 100;
/** MiB of these files. */
export const FOLDER_MIB_MAX = 8;
const MIB = 1024 * 1024;

/** A folder of which nothing is taken, with the reason. */
export type LeftOut = { name: string; why: "empty" | "large" | "unreadable" };

type Opened = { name: string; found: readonly File[] | LeftOut["why"] };

/** The mission files of folders. A folder is taken whole or not at all: nobody can tell which part of it is missing. */
export async function openFolders(
  folders: readonly FileSystemDirectoryEntry[],
): Promise<{ files: File[]; leftOut: LeftOut[] }> {
  const files: File[] = [];
  const leftOut: LeftOut[] = [];
  let bytes = 0;
  for (const { name, found } of await Promise.all(folders.map(open))) {
    if (typeof found === "string") {
      leftOut.push({ name, why: found });
      continue;
    }
    const size = found.reduce((sum, file) => sum + file.size, 0);
    if (files.length + found.length > FOLDER_FILES_MAX || bytes + size > FOLDER_MIB_MAX * MIB) {
      leftOut.push({ name, why: "large" });
      continue;
    }
    files.push(...found);
    bytes += size;
  }
  return { files, leftOut };
}

async function open(folder: FileSystemDirectoryEntry): Promise<Opened> {
  const { name } = folder;
  try {
    const entries = await entriesOf(folder.createReader());
    if (entries.length > ENTRIES_MAX) return { name, found: "large" };
    const missions = entries.filter(isFile).filter((entry) => /\.md$/i.test(entry.name));
    if (missions.length === 0) return { name, found: "empty" };
    if (missions.length > FOLDER_FILES_MAX) return { name, found: "large" };
    return { name, found: await Promise.all(missions.map(fileOf)) };
  } catch {
    return { name, found: "unreadable" };
  }
}

/** The entries of a folder, of which a browser gives some at a time and then none; of a huge one no more than tell so. */
async function entriesOf(
  reader: FileSystemDirectoryReader,
  before: readonly FileSystemEntry[] = [],
): Promise<readonly FileSystemEntry[]> {
  const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
  const all = [...before, ...some];
  return some.length === 0 || all.length > ENTRIES_MAX ? all : entriesOf(reader, all);
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
