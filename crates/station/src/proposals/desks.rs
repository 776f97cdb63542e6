//! The desks to which a card was delivered, and those that show it. While no desk does, the turn that asked hears
//! so, and the alarm that the site has chosen stands.

use std::collections::BTreeMap;
use std::time::Duration;

use agent::Decision;
use robot::{Instant, Now, ProposalId, SessionId, SessionKind};
use world::alarm::{BuiltIn, Of};

use super::{Entry, Note, Proposals, is_open};
use crate::code::StationCode;
use crate::station::Station;
use runtime::audit::AuditEntry;
use runtime::config::UnseenAlarm;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{ProposalDesk, ProposalSeen};

/// Desks that are kept of a card; a site has a handful, and the record must not grow with every reload.
const DESKS_MAX: usize = 16;

/// For so long a card counts as seen after a screen has last said that it stands there: windows say so every 2 s
/// while it is in sight.
const SHOWN_FOR: Duration = Duration::from_secs(5);

/// The sessions that see a card now, and when one last did.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// When each session last said that it stands on its screen, as long as that screen shows what happens and is not
    /// locked.
    sessions: BTreeMap<SessionId, Instant>,
    /// When somebody last saw it; before anybody has, when it was put before people.
    last: Option<Instant>,
    /// The turn was told that nobody sees it, which it hears once.
    told: bool,
}

impl Proposals {
    /// Notes that the window of `by` is given what waits. Programs that show nothing are no desks.
    pub(crate) fn note_delivered(&self, station: &Station, by: &Session) {
        let now = station.runtime.clock.now();
        if by.kind() != SessionKind::Person || !station.fleet.presence.shows(by.id(), now.station) {
            return;
        }
        let mut news = Vec::new();
        for entry in self.lock().entries.values_mut().filter(|entry| entry.is_before_people()) {
            if entry.reach(by, now).1 {
                news.push(entry.proposal.clone());
            }
        }
        news.iter().for_each(|proposal| self.save_later(station, proposal));
    }

    /// Notes that the card stands on the screen of `by`.
    pub(crate) fn note_shown(&self, station: &Station, by: &Session, id: &ProposalId) -> Result<ProposalSeen, OpError> {
        let now = station.runtime.clock.now();
        // Nobody can decide at a locked screen, and what a frozen one shows is old.
        let counts = !by.is_locked() && station.fleet.presence.shows(by.id(), now.station);
        let first = {
            let mut inner = self.lock();
            // A card that is not on disk yet was not listed either (decision 0076).
            let entry = inner.entries.get_mut(id).filter(|entry| entry.is_shown);
            let entry = entry.ok_or_else(|| OpError::not_found(StationCode::ProposalNotFound, "proposal", id))?;
            (counts && entry.is_before_people() && entry.show_on(by, now)).then(|| entry.proposal.clone())
        };
        if let Some(proposal) = first {
            self.save_later(station, &proposal);
        }
        Ok(ProposalSeen { id: id.clone(), counts })
    }

    /// Counts no card as seen at a desk whose person has left, whatever its screen shows.
    pub(crate) fn leave_desk(&self, session: &SessionId) {
        for entry in self.lock().entries.values_mut() {
            entry.seen.sessions.remove(session);
        }
    }

    /// Finds what waits and is on no screen.
    pub(super) fn look_for_unseen(&self, station: &Station) {
        let (now, after) = (station.runtime.clock.now().station, station.approvals.unseen_after());
        let (mut news, mut unseen) = (Vec::new(), Vec::new());
        for entry in self.lock().entries.values_mut().filter(|entry| entry.is_before_people()) {
            if entry.look(|session| station.fleet.presence.shows(session, now), after, now) {
                news.push(entry.proposal.clone());
            }
            if entry.proposal.nobody_sees {
                unseen.push(entry.proposal.sentence.clone());
            }
        }
        for proposal in &news {
            let outcome = if proposal.nobody_sees { "unseen" } else { "seen" };
            let about = format!("id={}", proposal.id);
            station.runtime.audit.note_done(AuditEntry::by_station("proposal", outcome).about(about));
            self.tell(station, proposal);
        }
        raise(station, &unseen);
    }
}

/// Raises the alarm of the site's choice while anything is unseen.
fn raise(station: &Station, unseen: &[String]) {
    let urgent = match station.approvals.unseen_alarm {
        UnseenAlarm::Off => return,
        UnseenAlarm::Medium => false,
        UnseenAlarm::High => true,
    };
    let of = Of::station().urgent(urgent);
    station.sensing.alarms.set(BuiltIn::ProposalUnseen, &of, !unseen.is_empty(), || match unseen {
        [only] => format!("No screen shows what waits for approval: {only}"),
        all => format!("No screen shows {} approvals that wait.", all.len()),
    });
}

impl Entry {
    /// True if a person can be asked about it now.
    fn is_before_people(&self) -> bool {
        self.is_shown && is_open(self.proposal.state)
    }

    /// The desk of `by` among those it reached, and whether that is news.
    fn reach(&mut self, by: &Session, now: Now) -> (&mut ProposalDesk, bool) {
        let desks = &mut self.proposal.desks;
        let known = desks.iter().position(|desk| desk.session == *by.id());
        let at = known.unwrap_or_else(|| {
            if desks.len() >= DESKS_MAX {
                desks.remove(0);
            }
            desks.push(ProposalDesk {
                session: by.id().clone(),
                actor: by.actor().to_owned(),
                desk: by.desk(),
                delivered_at: now.wall_ms,
                shown_at: None,
            });
            desks.len() - 1
        });
        (&mut desks[at], known.is_none())
    }

    /// It stands on the screen of `by`; true if it never did before.
    fn show_on(&mut self, by: &Session, now: Now) -> bool {
        self.seen.sessions.insert(by.id().clone(), now.station);
        let (desk, _) = self.reach(by, now);
        let first = desk.shown_at.is_none();
        desk.shown_at.get_or_insert(now.wall_ms);
        first
    }

    /// Checks which sessions see it now; true if that has changed between nobody and somebody.
    fn look(&mut self, shows: impl Fn(&SessionId) -> bool, after: Duration, now: Instant) -> bool {
        self.seen.sessions.retain(|session, said| shows(session) && now.since(*said) <= SHOWN_FOR);
        if !self.seen.sessions.is_empty() {
            self.seen.last = Some(now);
        }
        let unseen = now.since(*self.seen.last.get_or_insert(now)) > after;
        if unseen && !std::mem::replace(&mut self.seen.told, true) {
            self.tell_turn(Note::Decided(Decision::Unseen));
        }
        std::mem::replace(&mut self.proposal.nobody_sees, unseen) != unseen
    }
}
