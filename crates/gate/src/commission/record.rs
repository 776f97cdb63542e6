//! `commissioning.json` in the gate's folder: what was measured, of which files, signed by the gate's key.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bridge::signing::SigningKey;
use robot::{Acceptance, CommissionedPart, CommissioningStep, RobotId, StepResult};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::code::GateCode;
use crate::error::GateError;
use crate::setup::Setup;

/// The longest record, bytes: its steps with their speeds over time.
const BYTES_MAX: u64 = 1 << 20;
/// A file of the robot's program that is longer is not hashed, and the robot cannot be commissioned, bytes.
const PROGRAM_BYTES_MAX: u64 = 1 << 30;
/// Name of the file, and the key under which its content is signed.
const NAME: &str = "commissioning.json";

/// SHA-256 of everything that decides how the robot moves, hex.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hashes {
    /// The manifest's bytes.
    pub manifest: String,
    /// The wiring's bytes.
    pub wiring: String,
    /// The program that speaks for the robot: its hash is that of the hashes of its files.
    pub program: String,
}

/// The hash of the hashes of these files.
pub fn hash_of_files(files: &[PathBuf]) -> io::Result<String> {
    let mut hash = Sha256::new();
    for path in files {
        hash.update(of_file(path)?);
    }
    Ok(hex_of(hash))
}

impl Hashes {
    /// The hashes of these texts and of these files.
    pub fn of(manifest: &str, wiring: &str, program: &[PathBuf]) -> io::Result<Self> {
        Ok(Self { manifest: hex(manifest), wiring: hex(wiring), program: hash_of_files(program)? })
    }

    /// The hashes of the files of a gate.
    pub fn of_setup(setup: &Setup) -> Result<Self, GateError> {
        let bad = |error: io::Error| GateError::new(GateCode::BadCommand, format!("the robot's program: {error}"));
        Self::of(&setup.manifest_text, setup.wiring.text(), &setup.program_files()).map_err(bad)
    }

    /// The parts that differ.
    fn changed_since(&self, earlier: &Self) -> Vec<CommissionedPart> {
        let differs = |part, same: bool| (!same).then_some(part);
        let parts = [
            differs(CommissionedPart::Manifest, self.manifest == earlier.manifest),
            differs(CommissionedPart::Wiring, self.wiring == earlier.wiring),
            differs(CommissionedPart::Program, self.program == earlier.program),
        ];
        parts.into_iter().flatten().collect()
    }
}

/// Content of the record.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    robot: RobotId,
    hashes: Hashes,
    steps: Vec<StepResult>,
    #[serde(default)]
    accepted: Option<Acceptance>,
}

/// The part of a record that counts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Kept {
    /// The newest result of each step, in the order of the steps.
    pub steps: Vec<StepResult>,
    /// The acceptance of a robot that keeps moving when its gate dies.
    pub accepted: Option<Acceptance>,
}

impl Kept {
    /// The same with a new result in place of an earlier one of its step. What was accepted was another silence.
    pub fn with(mut self, result: StepResult) -> Self {
        if result.step == CommissioningStep::Silence {
            self.accepted = None;
        }
        self.steps.retain(|known| known.step != result.step);
        self.steps.push(result);
        self.steps.sort_by_key(|known| known.step);
        self
    }
}

/// The file: the record's text, and its signature in Base64.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SignedRecord {
    record: String,
    signature: String,
}

/// The record of one robot on disk.
pub struct RecordFile {
    path: PathBuf,
    key: SigningKey,
    robot: RobotId,
    hashes: Hashes,
}

impl RecordFile {
    /// The record in the gate's `folder`.
    pub fn new(folder: &Path, key: SigningKey, robot: RobotId, hashes: Hashes) -> Self {
        Self { path: folder.join(NAME), key, robot, hashes }
    }

    /// The part that counts, or what has changed since it was made. A record that cannot be read, or that this
    /// gate has not signed, counts as changed.
    pub fn load(&self) -> Result<Kept, Vec<CommissionedPart>> {
        let text = match files::read_text(&self.path, BYTES_MAX) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kept::default()),
            Err(_) => return Err(vec![CommissionedPart::Record]),
        };
        let record = self.read(&text).ok_or_else(|| vec![CommissionedPart::Record])?;
        let changed = self.hashes.changed_since(&record.hashes);
        if !changed.is_empty() {
            return Err(changed);
        }
        Ok(Kept { steps: record.steps, accepted: record.accepted })
    }

    fn read(&self, text: &str) -> Option<Record> {
        let signed: SignedRecord = serde_json::from_str(text).ok()?;
        if signed.signature != self.signature(&signed.record) {
            return None;
        }
        let record: Record = serde_json::from_str(&signed.record).ok()?;
        // A folder with its key may have been copied for another robot.
        (record.robot == self.robot).then_some(record)
    }

    /// Stores `kept` in place of what was there.
    pub fn save(&self, kept: &Kept) -> io::Result<()> {
        let Kept { steps, accepted } = kept.clone();
        let record = Record { robot: self.robot.clone(), hashes: self.hashes.clone(), steps, accepted };
        let record = serde_json::to_string(&record)?;
        let signature = self.signature(&record);
        files::replace(&self.path, &serde_json::to_vec(&SignedRecord { record, signature })?)
    }

    /// Ed25519 signs the same text in the same way each time, so that comparing is testing.
    fn signature(&self, record: &str) -> String {
        BASE64.encode(self.key.sign(NAME, record.as_bytes()))
    }
}

/// A record on its way to the disk, which may take its time: the deciding thread waits for no disk.
pub struct Saving {
    /// The results, and the acceptance.
    pub kept: Kept,
    /// True if a step has ended with it.
    pub ends_step: bool,
    saved: Receiver<io::Result<()>>,
}

impl Saving {
    /// Stores `kept` on a thread of its own.
    pub fn begin(file: &Arc<RecordFile>, kept: Kept, ends_step: bool) -> Self {
        let (tell, saved) = sync_channel(1);
        let (file, stored) = (Arc::clone(file), kept.clone());
        // A thread that cannot be started drops the sender, and nothing counts as stored.
        let _ = std::thread::Builder::new().name("record".to_owned()).spawn(move || tell.send(file.save(&stored)));
        Self { kept, ends_step, saved }
    }

    /// The outcome, once there is one.
    pub fn ended(&self) -> Option<io::Result<()>> {
        match self.saved.try_recv() {
            Ok(saved) => Some(saved),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }
}

fn of_file(path: &Path) -> io::Result<[u8; 32]> {
    let file = std::fs::File::open(path)?;
    if file.metadata()?.len() > PROGRAM_BYTES_MAX {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    // The file may grow while it is read.
    let mut bytes = io::Read::take(file, PROGRAM_BYTES_MAX);
    let mut hash = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match io::Read::read(&mut bytes, &mut block)? {
            0 => return Ok(hash.finalize().into()),
            count => hash.update(&block[..count]),
        }
    }
}

fn hex(text: &str) -> String {
    hex_of(Sha256::new_with_prefix(text))
}

fn hex_of(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use robot::StepOutcome;

    fn step() -> StepResult {
        StepResult {
            step: CommissioningStep::AxisX,
            outcome: StepOutcome::Passed,
            time_ms: Some(1),
            distance_m: Some(0.1),
            time_ms_max: None,
            distance_m_max: None,
            speeds: Vec::new(),
            joints: Vec::new(),
            means: Vec::new(),
            person: "Ada".to_owned(),
            at_ms: 5,
        }
    }

    #[test]
    fn rg_32_an_acceptance_ends_with_the_next_silence_and_with_no_other_step() {
        let accepted = Some(Acceptance { person: "Dana".to_owned(), reason: "a fence".to_owned(), at_ms: 7 });
        let kept = Kept { steps: Vec::new(), accepted };
        assert_eq!(kept.clone().with(step()).accepted, kept.accepted);
        let silence = StepResult { step: CommissioningStep::Silence, ..step() };
        assert_eq!(kept.with(silence.clone()), Kept { steps: vec![silence], accepted: None });
    }

    #[test]
    fn rg_30_a_record_counts_for_the_files_and_the_key_that_it_was_made_with_and_for_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("robot.py");
        std::fs::write(&program, "drive()").unwrap();
        let open = |key: u8, manifest: &str, wiring: &str| {
            let hashes = Hashes::of(manifest, wiring, std::slice::from_ref(&program)).unwrap();
            RecordFile::new(folder.path(), SigningKey::from_seed(&[key; 32]), "rover-9".parse().unwrap(), hashes)
        };
        let file = open(1, "m", "w");
        assert_eq!(file.load(), Ok(Kept::default()), "there is none yet");
        let accepted = Acceptance { person: "Dana".to_owned(), reason: "a fence".to_owned(), at_ms: 7 };
        let kept = Kept { steps: vec![step()], accepted: Some(accepted) };
        file.save(&kept).unwrap();
        assert_eq!(file.load(), Ok(kept));
        assert_eq!(open(1, "m2", "w").load(), Err(vec![CommissionedPart::Manifest]));
        assert_eq!(open(1, "m", "w2").load(), Err(vec![CommissionedPart::Wiring]));
        assert_eq!(open(2, "m", "w").load(), Err(vec![CommissionedPart::Record]), "another gate's");
        std::fs::write(&program, "drive(); ").unwrap();
        assert_eq!(open(1, "m", "w").load(), Err(vec![CommissionedPart::Program]));
        std::fs::write(&program, "drive()").unwrap();

        let path = folder.path().join(NAME);
        let forged = std::fs::read_to_string(&path).unwrap().replace("Ada", "Eve");
        std::fs::write(&path, forged).unwrap();
        assert_eq!(file.load(), Err(vec![CommissionedPart::Record]));
        std::fs::write(&path, "{").unwrap();
        assert_eq!(file.load(), Err(vec![CommissionedPart::Record]));
    }
}
