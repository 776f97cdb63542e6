//! Who is there: the last sign of life of every person's screen, or of their program if they have no screen.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use robot::Instant;

use crate::config::{SafetySettings, ms};
use crate::lock::lock;

/// A program without a screen calls at least this often as long as somebody works with it.
const PROGRAM_SILENCE_MAX: Duration = Duration::from_secs(30);
/// Sessions that are remembered; far more than there are desks.
const SESSIONS_MAX: usize = 64;

/// Everybody who is there.
#[derive(Debug)]
pub struct Presence {
    /// A screen says that it is alive once a second; one that is silent for longer than this has nobody in control.
    screen_silence_max: Duration,
    /// Without a sign of life of any person for longer than this nobody supervises the robots.
    absence_max: Duration,
    people: Mutex<People>,
}

#[derive(Debug)]
struct People {
    signs: BTreeMap<String, Signs>,
    /// The newest sign of anybody; the start of the station before the first.
    newest: Instant,
}

#[derive(Debug, Clone, Copy)]
struct Signs {
    called: Instant,
    /// A session that has shown a screen is there only as long as the screen is.
    screen: Option<Instant>,
}

impl Presence {
    /// Nobody is there yet.
    pub fn new(settings: &SafetySettings, now: Instant) -> Self {
        let people = Mutex::new(People { signs: BTreeMap::new(), newest: now });
        Self { screen_silence_max: ms(settings.presence_ms), absence_max: ms(settings.absence_ms), people }
    }

    fn lock(&self) -> MutexGuard<'_, People> {
        lock(&self.people)
    }

    /// Notes a call of a person's session.
    pub fn note_call(&self, session: &str, now: Instant) {
        self.lock().note(session, now);
    }

    /// Notes that a screen of a person's session renders.
    pub fn note_screen(&self, session: &str, now: Instant) {
        self.lock().note(session, now).screen = Some(now);
    }

    /// Whether a session is there.
    pub fn is_there(&self, session: &str) -> bool {
        self.lock().signs.contains_key(session)
    }

    /// Whether anybody supervises the robots.
    pub fn anybody(&self, now: Instant) -> bool {
        now.since(self.lock().newest) <= self.absence_max
    }

    /// Forgets who is gone, and says who that is.
    pub fn sweep(&self, now: Instant) -> Vec<String> {
        let mut people = self.lock();
        people
            .signs
            .extract_if(.., |_, signs| !signs.are_recent(self.screen_silence_max, now))
            .map(|(session, _)| session)
            .collect()
    }
}

impl People {
    fn note(&mut self, session: &str, now: Instant) -> &mut Signs {
        self.newest = self.newest.max(now);
        if self.signs.len() >= SESSIONS_MAX && !self.signs.contains_key(session) {
            let oldest = self.signs.iter().min_by_key(|(_, signs)| signs.called).map(|(session, _)| session.clone());
            oldest.map(|oldest| self.signs.remove(&oldest));
        }
        let signs = self.signs.entry(session.to_owned()).or_insert(Signs { called: now, screen: None });
        signs.called = now;
        signs
    }
}

impl Signs {
    /// Whether the session is still there.
    fn are_recent(&self, screen_silence_max: Duration, now: Instant) -> bool {
        match self.screen {
            Some(screen) => now.since(screen) <= screen_silence_max,
            None => now.since(self.called) <= PROGRAM_SILENCE_MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::from_millis(ms)
    }

    #[test]
    fn f16_a_screen_that_falls_silent_is_gone_after_five_seconds_whatever_else_its_session_calls() {
        let presence = Presence::new(&SafetySettings::default(), at(0));
        presence.note_screen("desk", at(1_000));
        presence.note_call("desk", at(5_900));
        assert_eq!(presence.sweep(at(6_000)), Vec::<String>::new());
        assert_eq!(presence.sweep(at(6_001)), ["desk"]);
        assert!(!presence.is_there("desk"));
        presence.note_call("desk", at(6_100));
        assert!(presence.is_there("desk"), "what calls without a screen is a program");
    }

    #[test]
    fn a_program_without_a_screen_is_there_while_it_calls() {
        let presence = Presence::new(&SafetySettings::default(), at(0));
        presence.note_call("script", at(1_000));
        assert_eq!(presence.sweep(at(31_000)), Vec::<String>::new());
        assert_eq!(presence.sweep(at(31_001)), ["script"]);
    }

    #[test]
    fn nobody_supervises_after_half_a_minute_without_any_sign() {
        let presence = Presence::new(&SafetySettings::default(), at(0));
        assert!(presence.anybody(at(30_000)));
        assert!(!presence.anybody(at(30_001)));
        presence.note_call("script", at(40_000));
        presence.sweep(at(60_000));
        assert!(presence.anybody(at(70_000)));
        assert!(!presence.anybody(at(70_001)));
    }

    #[test]
    fn the_number_of_sessions_is_bounded() {
        let presence = Presence::new(&SafetySettings::default(), at(0));
        for n in 0..1_000 {
            presence.note_call(&format!("s-{n}"), at(n));
        }
        assert_eq!(presence.lock().signs.len(), SESSIONS_MAX);
        assert!(presence.is_there("s-999"));
    }
}
