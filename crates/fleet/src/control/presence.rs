//! Presence of people: the last sign of life of every person's screen, or of their program if they have no screen.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use robot::{Instant, SessionId};

use runtime::config::{SafetySettings, ms};
use runtime::lock::lock;
use safety::arbitration::DeskKind;

/// A program without a screen calls at least this often as long as somebody works with it.
const PROGRAM_SILENCE_MAX: Duration = Duration::from_secs(30);
/// Sessions that are remembered; far more than there are desks.
const SESSIONS_MAX: usize = 64;

/// Everybody who is there.
#[derive(Debug)]
pub struct Presence {
    /// A screen that takes frames and is silent for longer than this is frozen: changes do not show on it.
    screen_frozen_after: Duration,
    /// A screen says once a second that it is alive; the person at one that is silent for longer loses control.
    screen_silence_max: Duration,
    /// Without a sign of life of any person for longer than this the robots are unsupervised.
    absence_max: Duration,
    people: Mutex<People>,
}

#[derive(Debug)]
struct People {
    signs: BTreeMap<SessionId, Signs>,
    /// Screens that take frames, by session: as many as there are open channels, at most.
    screens: BTreeMap<SessionId, Screen>,
    /// Screens that were closed while they were frozen and are not reported yet: at most one for each session.
    gone: BTreeMap<SessionId, DeskKind>,
    /// The newest sign of anybody; the start of the station before the first.
    newest: Instant,
}

#[derive(Debug, Clone, Copy)]
struct Signs {
    called: Instant,
    /// A session that has shown a screen is there only as long as the screen is.
    screen: Option<Instant>,
}

/// A receiver of frames. Several windows of one session are one screen.
#[derive(Debug)]
struct Screen {
    desk: DeskKind,
    channels: usize,
    /// The last sign of life; none from a program that takes frames and shows nothing.
    seen: Option<Instant>,
    frozen: bool,
}

/// State of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenState {
    /// Its picture is out of date.
    Frozen,
    /// It shows what happens, again.
    Renders,
    /// It was frozen, and nothing takes its frames any more.
    Closed,
}

/// A screen that froze, or is frozen no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenChange {
    /// The session it belongs to.
    pub session: SessionId,
    /// The kind of its desk.
    pub desk: DeskKind,
    /// Its state now.
    pub now: ScreenState,
}

/// Held as long as a screen takes frames: one that no longer does has gone, which is not the same as frozen.
#[derive(Debug)]
pub struct OpenScreen {
    presence: Arc<Presence>,
    session: SessionId,
}

impl Drop for OpenScreen {
    fn drop(&mut self) {
        let mut people = self.presence.lock();
        let Some(screen) = people.screens.get_mut(&self.session) else { return };
        screen.channels -= 1;
        if screen.channels == 0
            && let Some(Screen { desk, frozen: true, .. }) = people.screens.remove(&self.session)
        {
            people.gone.insert(self.session.clone(), desk);
        }
    }
}

impl Presence {
    /// Nobody is there yet.
    pub fn new(settings: &SafetySettings, now: Instant) -> Self {
        Self {
            screen_frozen_after: ms(settings.screen_frozen_ms),
            screen_silence_max: ms(settings.presence_ms),
            absence_max: ms(settings.absence_ms),
            people: Mutex::new(People {
                signs: BTreeMap::new(),
                screens: BTreeMap::new(),
                gone: BTreeMap::new(),
                newest: now,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, People> {
        lock(&self.people)
    }

    /// Notes a call of a person's session.
    pub fn note_call(&self, session: &SessionId, now: Instant) {
        self.lock().note(session, now);
    }

    /// Notes that a screen of a person's session renders.
    pub fn note_screen(&self, session: &SessionId, now: Instant) {
        let mut people = self.lock();
        people.note(session, now).screen = Some(now);
        if let Some(screen) = people.screens.get_mut(session)
            && screen.seen.replace(now).is_none()
        {
            tracing::info!(%session, desk = %screen.desk, "screen shown");
        }
    }

    /// Notes that a window of a session takes frames from now on.
    pub fn open_screen(self: &Arc<Self>, session: &SessionId, desk: DeskKind) -> OpenScreen {
        let mut people = self.lock();
        let closed = || Screen { desk, channels: 0, seen: None, frozen: false };
        people.screens.entry(session.clone()).or_insert_with(closed).channels += 1;
        OpenScreen { presence: Arc::clone(self), session: session.clone() }
    }

    /// Screens that froze since the last look, or are frozen no more.
    pub fn screen_changes(&self, now: Instant) -> Vec<ScreenChange> {
        let mut people = self.lock();
        let gone = std::mem::take(&mut people.gone).into_iter();
        let gone = gone.map(|(session, desk)| ScreenChange { session, desk, now: ScreenState::Closed });
        let changed = people.screens.iter_mut().filter_map(|(session, screen)| {
            let frozen = screen.seen.is_some_and(|seen| now.since(seen) > self.screen_frozen_after);
            let was = std::mem::replace(&mut screen.frozen, frozen);
            let shown = if frozen { ScreenState::Frozen } else { ScreenState::Renders };
            (was != frozen).then(|| ScreenChange { session: session.clone(), desk: screen.desk, now: shown })
        });
        gone.chain(changed).collect()
    }

    /// True if a screen that is not that of `session` shows what happens.
    pub fn is_anybody_elsewhere(&self, session: &SessionId) -> bool {
        self.lock().screens.iter().any(|(other, screen)| other != session && screen.seen.is_some())
    }

    /// True if the screen of `session` shows what happens.
    pub fn shows(&self, session: &SessionId, now: Instant) -> bool {
        let people = self.lock();
        let seen = people.screens.get(session).and_then(|screen| screen.seen);
        seen.is_some_and(|seen| now.since(seen) <= self.screen_frozen_after)
    }

    /// True if a screen is frozen and no other shows what happens.
    pub fn nobody_sees(&self) -> bool {
        let people = self.lock();
        let mut showing = people.screens.values().filter(|screen| screen.seen.is_some()).peekable();
        showing.peek().is_some() && showing.all(|screen| screen.frozen)
    }

    /// The station was suspended, and every screen with it: their silence counts from now.
    pub fn note_resumed(&self, now: Instant) {
        // A screen that was frozen before the suspension has to show by itself that it renders again.
        for screen in self.lock().screens.values_mut().filter(|screen| !screen.frozen) {
            screen.seen = screen.seen.map(|_| now);
        }
    }

    /// True if a session is there.
    pub fn is_there(&self, session: &SessionId) -> bool {
        self.lock().signs.contains_key(session)
    }

    /// True if a sign of life of anybody is recent enough for the robots to be supervised.
    pub fn anybody(&self, now: Instant) -> bool {
        now.since(self.lock().newest) <= self.absence_max
    }

    /// Forgets the sessions that are gone, and returns them.
    pub fn sweep(&self, now: Instant) -> Vec<SessionId> {
        let mut people = self.lock();
        people
            .signs
            .extract_if(.., |_, signs| !signs.are_recent(self.screen_silence_max, now))
            .map(|(session, _)| session)
            .collect()
    }
}

impl People {
    fn note(&mut self, session: &SessionId, now: Instant) -> &mut Signs {
        self.newest = self.newest.max(now);
        // The one that was silent longest makes room; a desk in use calls once a second and stays.
        if self.signs.len() >= SESSIONS_MAX && !self.signs.contains_key(session) {
            let oldest = self.signs.iter().min_by_key(|(_, signs)| signs.called).map(|(session, _)| session.clone());
            oldest.map(|oldest| self.signs.remove(&oldest));
        }
        let signs = self.signs.entry(session.clone()).or_insert(Signs { called: now, screen: None });
        signs.called = now;
        signs
    }
}

impl Signs {
    /// True if the session is still there.
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
        presence.note_screen(&"desk".into(), at(1_000));
        presence.note_call(&"desk".into(), at(5_900));
        assert_eq!(presence.sweep(at(6_000)), Vec::<SessionId>::new());
        assert_eq!(presence.sweep(at(6_001)), ["desk"]);
        assert!(!presence.is_there(&"desk".into()));
        presence.note_call(&"desk".into(), at(6_100));
        assert!(presence.is_there(&"desk".into()), "what calls without a screen is a program");
    }

    #[test]
    fn a_program_without_a_screen_is_there_while_it_calls() {
        let presence = Presence::new(&SafetySettings::default(), at(0));
        presence.note_call(&"script".into(), at(1_000));
        assert_eq!(presence.sweep(at(31_000)), Vec::<SessionId>::new());
        assert_eq!(presence.sweep(at(31_001)), ["script"]);
    }

    #[test]
    fn nobody_supervises_after_half_a_minute_without_any_sign() {
        let presence = Presence::new(&SafetySettings::default(), at(0));
        assert!(presence.anybody(at(30_000)));
        assert!(!presence.anybody(at(30_001)));
        presence.note_call(&"script".into(), at(40_000));
        presence.sweep(at(60_000));
        assert!(presence.anybody(at(70_000)));
        assert!(!presence.anybody(at(70_001)));
    }

    #[test]
    fn u_613_a_screen_that_takes_frames_and_is_silent_for_three_seconds_is_frozen_until_it_renders() {
        let presence = Arc::new(Presence::new(&SafetySettings::default(), at(0)));
        let open = presence.open_screen(&"desk".into(), DeskKind::AppWindow);
        let change = |now| vec![ScreenChange { session: "desk".into(), desk: DeskKind::AppWindow, now }];
        assert_eq!(presence.screen_changes(at(60_000)), [], "a program that shows nothing does not freeze");
        presence.note_screen(&"desk".into(), at(60_000));
        assert_eq!(presence.screen_changes(at(63_000)), []);
        assert_eq!(presence.screen_changes(at(63_001)), change(ScreenState::Frozen));
        assert_eq!((presence.screen_changes(at(90_000)), presence.nobody_sees()), (vec![], true));
        presence.note_screen(&"desk".into(), at(91_000));
        assert_eq!(
            (presence.screen_changes(at(91_100)), presence.nobody_sees()),
            (change(ScreenState::Renders), false)
        );
        drop(open);
        assert_eq!(presence.screen_changes(at(200_000)), [], "a screen that is closed is not frozen");
    }

    #[test]
    fn u_613_a_frozen_screen_that_closes_is_frozen_no_more_even_if_another_opens_at_once() {
        let presence = Arc::new(Presence::new(&SafetySettings::default(), at(0)));
        let change = |now| vec![ScreenChange { session: "desk".into(), desk: DeskKind::AppWindow, now }];
        let hanging = presence.open_screen(&"desk".into(), DeskKind::AppWindow);
        presence.note_screen(&"desk".into(), at(0));
        assert_eq!(presence.screen_changes(at(4_000)), change(ScreenState::Frozen));
        drop(hanging);
        let _restarted = presence.open_screen(&"desk".into(), DeskKind::AppWindow);
        presence.note_screen(&"desk".into(), at(4_100));
        assert_eq!((presence.screen_changes(at(4_200)), presence.nobody_sees()), (change(ScreenState::Closed), false));
        assert_eq!(presence.screen_changes(at(4_300)), []);
    }

    #[test]
    fn u_613_somebody_sees_while_one_screen_renders() {
        let presence = Arc::new(Presence::new(&SafetySettings::default(), at(0)));
        let _screens = ["left", "right"].map(SessionId::from).map(|session| {
            presence.note_screen(&session, at(0));
            let open = presence.open_screen(&session, DeskKind::Here);
            presence.note_screen(&session, at(1_000));
            open
        });
        presence.note_screen(&"right".into(), at(4_000));
        assert_eq!((presence.screen_changes(at(4_500)).len(), presence.nobody_sees()), (1, false));
        assert_eq!((presence.screen_changes(at(7_500)).len(), presence.nobody_sees()), (1, true));
    }

    #[test]
    fn a_suspended_station_does_not_take_its_screens_for_frozen() {
        let presence = Arc::new(Presence::new(&SafetySettings::default(), at(0)));
        let _open = presence.open_screen(&"desk".into(), DeskKind::Here);
        presence.note_screen(&"desk".into(), at(1_000));
        presence.note_resumed(at(600_000));
        assert_eq!(presence.screen_changes(at(601_000)), []);
    }

    #[test]
    fn the_number_of_sessions_is_bounded() {
        let presence = Presence::new(&SafetySettings::default(), at(0));
        for n in 0..1_000 {
            presence.note_call(&format!("s-{n}").into(), at(n));
        }
        assert_eq!(presence.lock().signs.len(), SESSIONS_MAX);
        assert!(presence.is_there(&"s-999".into()));
    }
}
