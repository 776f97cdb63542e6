//! English sentences of the station on the wire: each has a code beside it, by which a window says it in its own language,
//! or stands in a list with the reason why not.

use std::collections::{BTreeMap, BTreeSet};

use crate::repository::{Violation, refuse, rust};

/// Names of fields that hold sentences.
const NAMES: &[&str] = &[
    "cleared_by",
    "detail",
    "error",
    "errors",
    "fault",
    "found",
    "help",
    "how",
    "meaning",
    "message",
    "note",
    "notes",
    "notice",
    "offline",
    "problem",
    "reason",
    "refused",
    "said",
    "sentence",
    "who",
    "why",
    "words",
];

/// Ends of such names.
const ENDS: &[&str] = &["_because", "_error", "_message", "_problem", "_reason", "_sentence"];

/// Words of a description that tell of a sentence, whatever its field is called.
const DESCRIBED: &[&str] = &["for people", "in words", "human-readable", "sentence", "The reason", "in a phrase"];

/// Sentences with the field of the same type that a window says them by.
const CODED: &[(&str, &str)] = &[
    ("AgentRow.offline", "offline_kind"),
    ("AuditCheck.fault", "fault_kind"),
    ("AuditSigning.unsigned_because", "unsigned_kind"),
    ("AuditState.found", "found_kinds"),
    ("Blocker.cleared_by", "code"),
    ("Blocker.sentence", "code"),
    ("Blocker.who", "code"),
    ("CauseRow.sentence", "cause"),
    ("CommandChecked.sentence", "verdict"),
    ("CommandOutcome.sentence", "verdict"),
    ("Connections.problem", "problem_kind"),
    ("DraftProblem.message", "kind"),
    ("EventRow.sentence", "code"),
    ("Fact.sentence", "code"),
    ("FallbackRow.why", "why_kind"),
    ("Forgotten.notice", "searched"),
    ("ItemRow.sentence", "item"),
    ("JobRow.last_error", "last_fault"),
    ("JobRow.words", "cron_schedule"),
    ("JobRunRow.error", "fault"),
    ("McpServerRow.reason", "loss"),
    ("McpToolRow.problem", "fault"),
    ("MissionDetail.envelope", "requests"),
    ("MissionDetail.meaning", "statements"),
    ("MissionDrafted.notes", "note_kinds"),
    ("MissionDryHindrance.sentence", "why"),
    ("MissionDryMotion.sentence", "verdict"),
    ("MissionDryRecord.sentence", "outcome"),
    ("MissionDryRun.sentence", "outcome"),
    ("MissionDryStep.text", "phrase"),
    ("MissionGoal.detail", "reason"),
    ("MissionImported.message", "code"),
    ("MissionProblem.help", "code"),
    ("MissionProblem.message", "code"),
    ("MissionReason.sentence", "code"),
    ("MissionRunGoal.detail", "reason"),
    ("MissionRunRow.trigger", "start"),
    ("MissionStepRow.sentence", "act"),
    ("PairingView.problem", "problem_kind"),
    ("Proposal.sentence", "input"),
    ("Proposal.state_reason", "state_reason_kind"),
    ("ProviderFailure.message", "kind"),
    ("RobotLeftOut.reason", "hindrance"),
    ("RobotRow.errors", "faults"),
    ("RobotSafety.arming_problem", "arming_hindrance"),
    ("RoomRow.problem", "problem_code"),
    ("SafetySetting.meaning", "key"),
    ("SandboxStatus.problem", "fault"),
    ("StaysRow.how", "remedy"),
    ("Stop.reason", "reason_kind"),
    ("TriedCommand.sentence", "verdict"),
    ("VerdictRow.sentence", "overall"),
];

/// Sentences that nobody translates, with whose they are.
const OF_OTHERS: &[(&str, &str)] = &[
    ("BeliefRow.notes", "a person's or an agent's"),
    ("ControlRequest.message", "a person's"),
    ("ManifestMeaning.hardware_estop", "the manifest's"),
    ("MemoryRecord.content", "a person's or an agent's"),
    ("MissionActivation.reason", "a person's"),
    ("MissionGraph.layout_problem", "the operating system's or the parser's"),
    ("MissionStepRow.reason", "a person's"),
    ("Proposal.reason", "an agent's"),
    ("ProviderTested.said", "a model's"),
    ("RobotRow.hardware_estop", "the manifest's"),
    ("StopRobot.hardware_estop", "the manifest's"),
];

/// Answers to programs and agents: a window says by itself what it has done, how a schedule reads, and asks for a mission as
/// data.
const FOR_PROGRAMS: &[&str] = &[
    "AlertRegistered.message",
    "AuditAccepted.found",
    "BeliefForgotten.message",
    "BeliefUpdated.message",
    "ConstraintChanged.message",
    "ConstraintRegistered.message",
    "ContextConfigured.message",
    "FetchedItem.message",
    "Forgotten.message",
    "HookRow.problem",
    "MissionActivated.message",
    "MissionChanged.message",
    "MissionCompleted.message",
    "MissionDrafted.meaning",
    "MissionDrafted.message",
    "MissionDryConflict.sentence",
    "MissionHalted.message",
    "MissionRemoved.message",
    "MissionTrigger.text",
    "MissionValidated.meaning",
    "MissionWait.sentence",
    "NoteRemembered.message",
    "OutputAnswers.note",
    "ProposalCreated.message",
    "ReviewDecided.message",
    "RoomMemberSet.message",
    "RoomPosted.message",
    "SchedulePreview.words",
    "StandingApprovalChanged.message",
    "SteerQueued.message",
    "TaskScheduled.message",
    "ToForget.message",
    "TurnCancelled.message",
];

/// Sentences that stand in English in every window. None is added.
const ENGLISH: &[&str] = &["MessageSent.message", "MissionRow.error"];

/// A text field that may hold a sentence.
struct Field {
    place: String,
    name: String,
}

/// The text fields of wire types that hold sentences, and the names of all fields of each type.
fn fields() -> (Vec<Field>, BTreeMap<String, BTreeSet<String>>) {
    let (mut sentences, mut all) = (Vec::new(), BTreeMap::<String, BTreeSet<String>>::new());
    for source in rust("crates/runtime/src/wire") {
        let (mut of, mut has_code, mut tagged, mut described) = (String::new(), false, false, String::new());
        for (number, line) in source.text.lines().enumerate() {
            let text = line.trim();
            if let Some(rest) = text.strip_prefix("///") {
                described.push_str(rest);
                continue;
            }
            if text.starts_with("#[") {
                tagged |= text.contains("tag = \"code\"");
                continue;
            }
            if let Some(rest) = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum ")) {
                of = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned();
                (has_code, tagged) = (tagged, false);
            } else if line == "}" {
                (of, tagged) = (String::new(), false);
            } else if let Some((name, kind)) = field(text).filter(|_| !of.is_empty()) {
                all.entry(of.clone()).or_default().insert(name.to_owned());
                if !has_code && kind.contains("String") && is_sentence(name, &described) {
                    let place = format!("{}:{}", source.path, number + 1);
                    sentences.push(Field { place, name: format!("{of}.{name}") });
                }
            }
            described.clear();
        }
    }
    (sentences, all)
}

/// The name and the type of a field that a line declares.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, kind) = line.strip_prefix("pub ").unwrap_or(line).strip_suffix(',')?.split_once(": ")?;
    let is_name = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    (is_name && !kind.contains('"') && !kind.contains('(')).then_some((name, kind))
}

fn is_sentence(name: &str, described: &str) -> bool {
    NAMES.contains(&name)
        || ENDS.iter().any(|end| name.ends_with(end))
        || DESCRIBED.iter().any(|words| described.contains(words))
}

#[test]
fn a_sentence_on_the_wire_has_a_code_beside_it_or_a_reason_why_not() {
    let (sentences, all) = fields();
    let coded: BTreeMap<&str, &str> = CODED.iter().copied().collect();
    let excused: BTreeSet<&str> =
        OF_OTHERS.iter().map(|(name, _)| *name).chain(FOR_PROGRAMS.iter().chain(ENGLISH).copied()).collect();
    let has_code = |name: &str| {
        let of = name.split('.').next().unwrap();
        coded.get(name).is_some_and(|code| all.get(of).is_some_and(|fields| fields.contains(*code)))
    };
    let bare = sentences.iter().filter(|Field { name, .. }| !has_code(name) && !excused.contains(name.as_str()));
    refuse(
        bare.map(|Field { place, name }| Violation {
            edge: format!("{place}: {name}"),
            reason: "a window in another language can only repeat an English sentence without a code",
            remedy: "give it a type with data whose English text is made in one place, put that beside the sentence, and \
                     name both in CODED; words of people and of other programs stand in OF_OTHERS",
        })
        .collect(),
    );
}

#[test]
fn the_lists_of_sentences_name_no_field_that_is_gone() {
    let (sentences, _) = fields();
    let known: BTreeSet<&str> = sentences.iter().map(|field| field.name.as_str()).collect();
    let listed =
        CODED.iter().chain(OF_OTHERS).map(|(name, _)| *name).chain(FOR_PROGRAMS.iter().chain(ENGLISH).copied());
    let names: Vec<&str> = listed.collect();
    let gone: Vec<&&str> = names.iter().filter(|name| !known.contains(**name)).collect();
    assert!(gone.is_empty(), "the lists of tests/architecture/sentences.rs name what is not there: {gone:?}");
    let once: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(names.len(), once.len(), "a sentence stands in two lists");
}

#[test]
fn sentences_are_told_by_their_name_or_by_their_description() {
    assert_eq!(field("pub why: Option<String>,"), Some(("why", "Option<String>")));
    assert_eq!(field("words: String,"), Some(("words", "String")));
    assert_eq!(field("}"), None);
    assert!(is_sentence("unsigned_because", "") && is_sentence("desk", " The kind of desk, for people."));
    assert!(!is_sentence("id", " `pr-<uuid>`."));
}
