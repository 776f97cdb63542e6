//! Beats: proof to station and gate that the other is there, and the start of every command's time to live.

use std::hash::BuildHasher;
use std::sync::atomic::Ordering;

use crate::envelope::{Beat, BeatAnswer};
use crate::{BridgeError, RobotLink};

impl RobotLink {
    /// Puts the next beat and returns its number. Called ten times a second.
    pub fn beat(&self) -> Result<u64, BridgeError> {
        // Counted before the put: the answer may be here before
        // this returns, and must find its beat among those asked.
        let n = self.beat_put.fetch_add(1, Ordering::AcqRel) + 1;
        let (robot, station) = (self.robot.clone(), self.station.clone());
        let epoch = self.epoch_claimed.load(Ordering::Acquire);
        self.beats.put(&Beat { robot, station, n, nonce: self.nonce(n), epoch })?;
        Ok(n)
    }

    /// Takes note of an answer and says whether it is the first to a beat of this link that is newer than every one
    /// answered before. Another station's answers are not, and recorded ones neither, those of this run included.
    pub fn note_beat_answer(&self, answer: &BeatAnswer) -> bool {
        let ours = answer.robot == self.robot && answer.station == self.station;
        let asked = (1..=self.beat_put.load(Ordering::Acquire)).contains(&answer.n);
        // Answers of an earlier run carry other nonces, and an echo of the beat itself carries the nonce unturned.
        if !ours || !asked || answer.not_nonce != !self.nonce(answer.n) {
            return false;
        }
        self.beat_answered.fetch_max(answer.n, Ordering::AcqRel) < answer.n
    }

    fn nonce(&self, n: u64) -> u64 {
        self.nonces.hash_one(n)
    }
}
