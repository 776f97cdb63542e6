//! The mission files of one folder, each parsed once for what it says. A file that was written a moment ago may be
//! written on: it is read once it has stood still, and counts as what it said before until then. A look at the folder
//! reads no file that nobody has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};

use missions::{MissionFile, Problem};
use robot::{Instant, MissionId};
use sha2::{Digest, Sha256};

use crate::numbered::Numbered;

use super::listing::{Listed, Stamp, listed, path_of, read_text, stamp_of};
use super::unread::{self, Unread};
use runtime::clock::Clock;
use runtime::lock::lock;

/// Time for which a file stands still before it is read, milliseconds.
const STILL_MS: u64 = 300;
/// The same of an empty one: many programs empty a file before they write it.
const STILL_EMPTY_MS: u64 = 2_000;
/// Bytes of changed files that are parsed for a caller who waits. The rest is parsed beside it, by the watcher.
const PARSED_AT_ONCE_BYTES: u64 = 1024 * 1024;

/// A mission file, or why it cannot be read.
pub type Draft = Result<Arc<MissionFile>, Unread>;

/// True if the file has been read, or never will be: then its error says why.
pub(crate) fn is_read(draft: &Draft) -> bool {
    draft.as_ref().err().is_none_or(|error| *error != Unread::NotYet)
}

/// Every file of a folder, as far as it was read.
#[derive(Debug)]
pub(crate) struct MissionFiles {
    clock: Clock,
    looks: Mutex<Numbered<Looks>>,
}

#[derive(Debug, Default)]
struct Looks {
    /// Files as they were read last.
    known: BTreeMap<MissionId, Known>,
    /// Files that have changed since, each as it was seen last and since when it has been so.
    fresh: BTreeMap<MissionId, (Stamp, Instant)>,
    /// Files that were left out of the last look because there are too many.
    left_out: BTreeSet<MissionId>,
    /// The problems of the files that the last look could not read.
    faults: Faults,
}

/// Problems of files that were not read, under the id of the mission that each is, or could be.
pub(crate) type Faults = BTreeMap<MissionId, Vec<Problem>>;

impl Looks {
    fn note_read(&mut self, id: &MissionId, known: Known) {
        self.known.insert(id.clone(), known);
        self.fresh.remove(id);
    }
}

#[derive(Debug, Clone)]
struct Known {
    stamp: Stamp,
    /// Hash of its bytes; none if they are no text.
    hash: Option<[u8; 32]>,
    /// The text of a file that is no mission.
    unparsed: Option<Arc<str>>,
    parsed: Draft,
}

/// State of a folder at one look.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FolderState {
    /// The hash of each file that was read; none of one that cannot be.
    pub files: BTreeMap<MissionId, Option<[u8; 32]>>,
    /// Files that are ignored, because there are too many.
    pub left_out: BTreeSet<MissionId>,
    /// The problems of those that were not read.
    pub faults: Faults,
}

impl MissionFiles {
    /// No file was read yet.
    pub fn new(clock: Clock) -> Self {
        Self { clock, looks: Mutex::default() }
    }

    /// Every mission of `folder`. Those that have stood still are read, as far as that takes no time.
    pub fn look(&self, folder: &Path) -> BTreeMap<MissionId, Draft> {
        // A folder that cannot be listed shows no files here; the watcher raises the alarm.
        self.read(listed(folder).unwrap_or_default(), PARSED_AT_ONCE_BYTES)
    }

    /// Reads whatever has changed and stood still since, however long that takes: not for a thread that others wait
    /// for.
    pub fn look_all(&self, folder: &Path) -> std::io::Result<(FolderState, BTreeMap<MissionId, Draft>)> {
        let listed = listed(folder)?;
        let left_out = listed.left_out.clone();
        let drafts = self.read(listed, u64::MAX);
        let looks = lock(&self.looks);
        let hash = |id: &MissionId| looks.known.get(id).and_then(|known| known.hash);
        let files = drafts.iter().filter(|(_, draft)| is_read(draft)).map(|(id, _)| (id.clone(), hash(id)));
        let state = FolderState { files: files.collect(), left_out, faults: looks.faults.clone() };
        drop(looks);
        Ok((state, drafts))
    }

    /// The problems of the files that the last look could not read.
    pub fn faults(&self) -> Faults {
        lock(&self.looks).faults.clone()
    }

    /// True if `folder` has a file of this mission, whatever is in it. Only its name is looked at.
    pub fn has(&self, folder: &Path, id: &MissionId) -> bool {
        let counts = missions::id_of(id.as_str()).is_ok() && !lock(&self.looks).left_out.contains(id);
        // A link counts, as it does in every look: it is a file that cannot be read.
        counts && std::fs::symlink_metadata(path_of(folder, id)).is_ok()
    }

    /// The file of one mission, which is read if it has stood still; none if there is none.
    pub fn draft(&self, folder: &Path, id: &MissionId) -> Option<Draft> {
        let mut left = u64::MAX;
        self.has(folder, id).then(|| self.look_at(id, &path_of(folder, id), &mut left))?
    }

    /// True while a file that has changed is yet to be read.
    pub fn is_settling(&self) -> bool {
        !lock(&self.looks).fresh.is_empty()
    }

    /// The same of the file of one mission, which is read if it has stood still.
    pub fn settles(&self, folder: &Path, id: &MissionId) -> bool {
        let mut left = u64::MAX;
        self.look_at(id, &path_of(folder, id), &mut left);
        lock(&self.looks).fresh.contains_key(id)
    }

    /// The text of a mission's file as it was read last; none if there is no such file.
    pub fn text(&self, folder: &Path, id: &MissionId) -> Option<Result<String, Unread>> {
        let draft = self.draft(folder, id)?;
        Some(match draft {
            Ok(file) => Ok(file.parsed.source.text().to_owned()),
            Err(error) => {
                let unparsed = lock(&self.looks).known.get(id).and_then(|known| known.unparsed.clone());
                unparsed.map(|text| text.to_string()).ok_or(error)
            }
        })
    }

    /// Reads a file at once that was written here with this text: it is whole.
    pub fn accept(&self, folder: &Path, id: &MissionId, text: &str) {
        let path = path_of(folder, id);
        let Ok(stamp) = stamp_of(&path) else { return };
        // The stamp on both sides of the reading: another program may have written in between.
        if read_text(&path).is_ok_and(|found| found == text) && stamp_of(&path).ok() == Some(stamp) {
            let known = self.known_of(id, stamp, Ok(text.to_owned()));
            lock(&self.looks).change().note_read(id, known);
        }
    }

    /// The number of changes to what was read, and to what is yet to be.
    pub fn changes(&self) -> u64 {
        lock(&self.looks).changes()
    }

    /// The hash of each file that was read.
    pub fn hashes(&self) -> BTreeMap<MissionId, [u8; 32]> {
        let looks = lock(&self.looks);
        looks.known.iter().filter_map(|(id, known)| Some((id.clone(), known.hash?))).collect()
    }

    /// The files that nobody has read yet.
    pub fn unread(&self) -> Vec<MissionId> {
        let looks = lock(&self.looks);
        looks.fresh.keys().filter(|id| !looks.known.contains_key(*id)).cloned().collect()
    }

    /// The files that were read and could be, as they were then.
    pub fn known(&self) -> BTreeMap<MissionId, Arc<MissionFile>> {
        let looks = lock(&self.looks);
        looks
            .known
            .iter()
            .filter_map(|(id, known)| Some((id.clone(), Arc::clone(known.parsed.as_ref().ok()?))))
            .collect()
    }

    fn read(&self, listed: Listed, bytes_max: u64) -> BTreeMap<MissionId, Draft> {
        let mut left = bytes_max;
        let looked = listed.files.iter().filter_map(|(id, path)| {
            let draft = self.look_at(id, path, &mut left)?;
            Some((id.clone(), draft))
        });
        let drafts: BTreeMap<MissionId, Draft> = looked.collect();
        let faults = unread::faults(&listed, &drafts);
        let mut looks = lock(&self.looks);
        if looks.faults != faults || looks.left_out != listed.left_out {
            let looks = looks.change();
            (looks.faults, looks.left_out) = (faults, listed.left_out);
        }
        if looks.known.keys().chain(looks.fresh.keys()).any(|id| !drafts.contains_key(id)) {
            let looks = looks.change();
            looks.known.retain(|id, _| drafts.contains_key(id));
            looks.fresh.retain(|id, _| drafts.contains_key(id));
        }
        drop(looks);
        drafts
    }

    /// One file, which is read if it has stood still and at most `left` bytes; none if it is gone.
    fn look_at(&self, id: &MissionId, path: &Path, left: &mut u64) -> Option<Draft> {
        let stamp = match stamp_of(path) {
            Ok(stamp) => stamp,
            Err(error) => {
                // What lies in its place now is not what it said before.
                let mut looks = lock(&self.looks);
                if looks.known.contains_key(id) || looks.fresh.contains_key(id) {
                    let looks = looks.change();
                    looks.known.remove(id);
                    looks.fresh.remove(id);
                }
                return (error.kind() != std::io::ErrorKind::NotFound).then(|| Err(error.into()));
            }
        };
        // Half of a file may be a mission with fewer limits, so one that is being written is not read.
        if self.is_still(id, stamp) && stamp.len <= *left {
            *left -= stamp.len;
            let text = read_text(path);
            match stamp_of(path) {
                Ok(now) if now == stamp => self.keep(id, stamp, text.map_err(Unread::from)),
                // It changed while it was read: the text may be a mixture, and the wait begins anew.
                Ok(now) => _ = self.is_still(id, now),
                // The next look tells what became of it.
                Err(_) => {}
            }
        }
        let known = lock(&self.looks).known.get(id).map(|known| known.parsed.clone());
        Some(known.unwrap_or(Err(Unread::NotYet)))
    }

    /// True if a file that is not the one that was read has had this stamp for long enough.
    fn is_still(&self, id: &MissionId, stamp: Stamp) -> bool {
        let now = self.clock.now().station;
        let mut looks = lock(&self.looks);
        if looks.known.get(id).is_some_and(|known| known.stamp == stamp) {
            if looks.fresh.contains_key(id) {
                looks.change().fresh.remove(id);
            }
            return false;
        }
        let still_ms = if stamp.len == 0 { STILL_EMPTY_MS } else { STILL_MS };
        match looks.fresh.get(id) {
            Some((seen, since)) if *seen == stamp => now.ms_since(*since) >= still_ms,
            Some(_) | None => {
                looks.change().fresh.insert(id.clone(), (stamp, now));
                false
            }
        }
    }

    /// Keeps what a file with this stamp says, unless somebody else has read it meanwhile.
    fn keep(&self, id: &MissionId, stamp: Stamp, text: Result<String, Unread>) {
        let known = self.known_of(id, stamp, text);
        let mut looks = lock(&self.looks);
        // The lock was free during the reading; a newer look must not be overwritten by this one.
        if looks.fresh.get(id).is_some_and(|(seen, _)| *seen == stamp) {
            looks.change().note_read(id, known);
        }
    }

    /// A file with this stamp. One that says the same as before is not parsed again.
    fn known_of(&self, id: &MissionId, stamp: Stamp, text: Result<String, Unread>) -> Known {
        let hash: Option<[u8; 32]> = text.as_ref().ok().map(|text| Sha256::digest(text).into());
        // `touch` and a fresh checkout change the stamp alone, and parsing is the expensive part.
        let same = lock(&self.looks).known.get(id).filter(|known| hash.is_some() && known.hash == hash).cloned();
        match (same, text) {
            (Some(same), _) => Known { stamp, ..same },
            (None, Ok(text)) => {
                let parsed = MissionFile::read(id.clone(), &text).map(Arc::new);
                let parsed = parsed.map_err(|error| Unread::NoMission(error.to_string()));
                let unparsed = parsed.is_err().then(|| text.into());
                Known { stamp, hash, unparsed, parsed }
            }
            (None, Err(error)) => Known { stamp, hash, unparsed: None, parsed: Err(error) },
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
