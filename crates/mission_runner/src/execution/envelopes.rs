//! Standing approvals that missions ask for: a person grants each with an activation, and only there.

use missions::MissionFile;
use missions::format::front::EnvelopeRequest;
use robot::{MissionId, SessionKind};

use crate::runner::MissionRunner;
use runtime::error::{OpError, RuntimeCode};
use runtime::session::Session;

/// The entries of `envelope` with these numbers, from 1. Nobody but a person at the activation itself grants one: the
/// approval of a card that would activate it does not.
fn chosen(by: &Session, file: &MissionFile, numbers: &[usize]) -> Result<Vec<EnvelopeRequest>, OpError> {
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    // A cause means a card or a turn behind the call; a click on a card must not grant motions for hours.
    if by.kind() != SessionKind::Person || by.is_agent() || by.cause().is_some() {
        return Err(OpError::new(
            RuntimeCode::Forbidden,
            "Only a person who activates a mission grants what it asks for.",
        ));
    }
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    // Ticked twice is granted once: each grant has a count of its own.
    numbers.dedup();
    let asked = &file.parsed.front.envelope;
    let entry = |number: usize| {
        let found = number.checked_sub(1).and_then(|at| asked.get(at)).map(|entry| entry.value.clone());
        found.ok_or_else(|| OpError::out_of_range("grant", 1, asked.len()))
    };
    numbers.into_iter().map(entry).collect()
}

impl MissionRunner {
    /// The entries of `envelope` with these numbers, from 1, if `by` may grant them.
    pub(crate) fn chosen(
        &self,
        by: &Session,
        file: &MissionFile,
        numbers: &[usize],
    ) -> Result<Vec<EnvelopeRequest>, OpError> {
        chosen(by, file, numbers)
    }

    /// Grants what a person has chosen, in the place of all that was granted for the mission before. A sentence on each
    /// that was not.
    pub(crate) async fn grant(&self, by: &Session, id: &MissionId, chosen: &[EnvelopeRequest]) -> String {
        let mut told = String::new();
        // Before granting, or the new grants would be voided with the old ones.
        self.host.agents.void_standing(by, id, "the mission was activated anew");
        for request in chosen {
            if let Err(error) = self.host.agents.grant(by, id, request).await {
                let words = missions::envelope_phrase(request);
                told.push_str(&format!(". Not granted, {words}: {}", error.message.trim_end_matches('.')));
            }
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use robot::AgentId;
    use runtime::session::Cause;

    use super::*;

    #[test]
    fn ml_25_only_a_person_at_the_activation_grants_what_a_mission_asks_for() {
        let of = "robot: rover-1, actuator: base, operation: send_command, speed_mps_max: 0.3, count: 2";
        let text = format!("---\nrobots: [rover-1]\nenvelope: [{{{of}, hours: 1}}, {{{of}, hours: 2}}]\n---\nCarry.\n");
        let file = MissionFile::read(MissionId::new("carry").unwrap(), &text).unwrap();
        let chosen = |by: &Session, numbers: &[usize]| {
            let chosen = chosen(by, &file, numbers);
            chosen.map(|all| all.iter().map(|one| one.hours).collect::<Vec<_>>()).map_err(|error| error.code.as_str())
        };
        let (person, agent) = (Session::app_window(), Session::of_agent(&AgentId::new("main").unwrap()));
        assert_eq!(chosen(&person, &[2, 1, 2]), Ok(vec![1.0, 2.0]));
        assert_eq!(chosen(&person, &[3]), Err("out_of_range"));
        assert_eq!(chosen(&person, &[0]), Err("out_of_range"));
        assert_eq!(chosen(&agent, &[1]), Err("forbidden"));
        let by_card = Session::app_window().caused_by(Cause { turn: Some("turn-1".into()), ..Cause::default() });
        assert_eq!(chosen(&by_card, &[1]), Err("forbidden"), "the approval of a card grants nothing");
        assert_eq!(chosen(&agent, &[]), Ok(Vec::new()));
    }
}
