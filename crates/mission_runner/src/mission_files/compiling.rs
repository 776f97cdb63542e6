//! Texts of missions held against the site of now: what they mean, what is wrong with them, and how they differ from
//! what was activated. Nothing here runs on a thread that others wait for.

use std::collections::BTreeMap;
use std::sync::Arc;

use missions::{
    Change, Compiled, MissionCode, MissionError, MissionFile, Parsed, Problem, ProblemCode, Problems, Severity,
};
use robot::{MissionId, Role};
use serde_json::json;

use crate::lives::{Life, Version};
use crate::mission_files::counts::{Counted, Counting, Counts};
use crate::mission_files::folder::Draft;
use crate::runner::{AgentMissions, MissionRunner};
use crate::site::{Site, SiteNow};
use runtime::disk;
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;
use runtime::wire::{AcceptedWarning as Accepted, MissionProblem};

/// Files that a caller who waits has compiled; the watcher compiles the rest.
pub(crate) const COMPILED_AT_ONCE: usize = 10;

/// Problems of one file that a list of those of all files has.
const LISTED_MAX: usize = 20;

/// A text of a mission at the site of now.
#[derive(Debug)]
pub(crate) struct Checked {
    /// Everything that is wrong with it.
    pub problems: Problems,
    /// Its meaning; none if something stands in the way.
    pub compiled: Option<Compiled>,
    /// The differences from what was activated last.
    pub changes: Vec<Change>,
    /// The least role of a person who lets it run.
    pub role_needed: Role,
}

impl Checked {
    fn of(site: &mut Site, id: &MissionId, parsed: &Parsed, wall_ms: i64, life: Option<&Life>) -> Self {
        let compilation = site.compile(id, parsed, wall_ms);
        let version = life.and_then(|life| life.version.as_ref());
        let old = version.and_then(|version| meaning_of(site, id, version));
        // Limits that nobody can read any more might be loosened.
        let unclear = version.is_some_and(|version| !version.file.parsed.front.constraints.is_empty() && old.is_none());
        let changes = compilation.compiled.as_ref().map(|new| missions::changes(old.as_ref(), new)).unwrap_or_default();
        let least = if unclear { Role::Admin } else { Role::Operator };
        Self {
            problems: compilation.problems,
            role_needed: missions::role_needed(&changes).max(least),
            changes,
            compiled: compilation.compiled,
        }
    }

    /// Its problems as people and programs see them, in the order of their places.
    pub fn listed(&self) -> Vec<MissionProblem> {
        self.problems.listed.iter().map(MissionProblem::from).collect()
    }

    /// Its meaning in sentences.
    pub fn meaning(&self) -> Vec<String> {
        self.compiled.as_ref().map(missions::sentences).unwrap_or_default()
    }

    /// The same as data.
    pub fn statements(&self) -> Vec<missions::Statement> {
        self.compiled.as_ref().map(missions::statements).unwrap_or_default()
    }

    /// True if whoever lets it run says why: a limit is loosened or removed.
    pub fn needs_reason(&self) -> bool {
        self.changes.iter().any(|change| change.key == "constraints" && change.role_needed == Role::Admin)
    }

    /// That nothing in the text keeps it from being activated.
    pub fn check_no_error(&self) -> Result<(), OpError> {
        check_no_error(&self.problems)
    }

    /// That a person of this role may let it run, knows its warnings and says why.
    pub fn check_may(&self, role: Role, accepted: &[Accepted], reason: Option<&str>) -> Result<(), OpError> {
        // The role comes before the warnings: whoever may not do it need not read and accept them.
        if role < self.role_needed {
            let beyond: Vec<&str> = self
                .changes
                .iter()
                .filter(|change| change.role_needed > role)
                .map(|change| &*change.sentence)
                .collect();
            let message = format!("This needs {:?}; you are {role:?}. {}", self.role_needed, beyond.join(" "));
            return Err(OpError::new(RuntimeCode::Forbidden, message.trim_end().to_owned())
                .with(json!({ "role_needed": self.role_needed, "changes": beyond })));
        }
        let is_open = |problem: &&Problem| {
            let code = problem.code.to_string();
            problem.severity == Severity::Warning
                && !accepted.iter().any(|one| one.code == code && one.line == problem.start.line)
        };
        let mut open = self.problems.listed.iter().filter(is_open).peekable();
        if let Some(first) = open.peek().copied() {
            return Err(has_problems(Some(first), open));
        }
        if self.needs_reason() {
            runtime::operation::given(reason.unwrap_or_default())?;
        }
        Ok(())
    }
}

fn check_no_error(problems: &Problems) -> Result<(), OpError> {
    let errors = || problems.listed.iter().filter(|problem| problem.severity == Severity::Error);
    if let Some(circle) = errors().find(|problem| problem.code == ProblemCode::DependencyCycle) {
        return Err(OpError::new(MissionCode::DependencyCycle, circle.sentence()));
    }
    match errors().next() {
        // The list is bounded, so an error may be among the problems that did not fit.
        None if !problems.has_error => Ok(()),
        first => Err(has_problems(first, errors())),
    }
}

/// The refusal of a text for its problems, all of which stand in the details.
fn has_problems<'p>(first: Option<&Problem>, problems: impl Iterator<Item = &'p Problem>) -> OpError {
    let Some(first) = first else {
        return OpError::new(MissionCode::HasProblems, "The file has too many problems to list them.");
    };
    let accept = match first.severity {
        Severity::Error => "",
        Severity::Warning => " Accept this warning with its code and line, or correct the file.",
    };
    let message = format!("line {}: {}{accept}", first.start.line, first.sentence());
    let problems: Vec<MissionProblem> = problems.map(MissionProblem::from).collect();
    OpError::new(MissionCode::HasProblems, message)
        .with(json!({ "code": first.code, "line": first.start.line, "problems": problems }))
}

/// The meaning of what was activated, at the site of now but at the time of its activation; none if it has no meaning
/// here any more.
fn meaning_of(site: &mut Site, id: &MissionId, version: &Version) -> Option<Compiled> {
    let compilation = site.compile(id, &version.file.parsed, version.activation.at_ms);
    compilation.compiled.filter(|_| !compilation.problems.has_error)
}

/// Holds `source` against the site of now; the file that it is, too, as far as it can be read. A long one takes a
/// while.
pub(crate) async fn check(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
    source: String,
) -> Result<(Result<MissionFile, MissionError>, Checked), OpError> {
    let wall_ms = runner.runtime.clock.now().wall_ms;
    check_as_of(runner, agent, id, source, wall_ms).await
}

/// The same where a time before `wall_ms` is over.
pub(crate) async fn check_as_of(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
    source: String,
    wall_ms: i64,
) -> Result<(Result<MissionFile, MissionError>, Checked), OpError> {
    let (runner, agent, id) = (Arc::clone(runner), Arc::clone(agent), id.clone());
    // Compiling a long text takes too long for a thread that others wait for.
    let checked = disk::blocking(move || {
        let parsed = missions::parse(source.as_bytes());
        let life = agent.lives.life(&id);
        let checked = Checked::of(&mut Site::of(&runner, &agent), &id, &parsed, wall_ms, life.as_ref());
        Ok((MissionFile::of(id, &source, parsed), checked))
    });
    checked.await.map_err(|error| OpError::new(MissionCode::MissionUnreadable, error.to_string()))
}

/// That the activated version of a mission that is to go on still has a meaning at the site of now, which is given.
pub(crate) async fn check_activated(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
) -> Result<Option<Compiled>, OpError> {
    let Some(life) = agent.lives.life(id) else { return Ok(None) };
    let Some(version) = life.version else {
        if life.state.status.has_ended() {
            return Ok(None);
        }
        let message = format!("The text of {id} that was activated cannot be read; activate it again.");
        return Err(OpError::new(MissionCode::MissionUnreadable, message));
    };
    let (task_runner, task_agent, task_id) = (Arc::clone(runner), Arc::clone(agent), id.clone());
    let checked = disk::blocking(move || {
        let mut site = Site::of(&task_runner, &task_agent);
        // As of its activation: a time that has passed since then was still to come when the person agreed.
        Ok(site.compile(&task_id, &version.file.parsed, version.activation.at_ms))
    });
    let compilation = checked.await.map_err(|error| OpError::new(MissionCode::MissionUnreadable, error.to_string()))?;
    check_no_error(&compilation.problems)?;
    Ok(compilation.compiled)
}

/// The counts of every file of `drafts`. At most `compiled_max` files are compiled; the others have the counts of an
/// earlier text or site, if any. Where nothing has changed since, nothing is looked at again.
pub(crate) fn counts(
    runner: &MissionRunner,
    agent: &AgentMissions,
    drafts: &BTreeMap<MissionId, Draft>,
    compiled_max: usize,
) -> Arc<Counting> {
    let now = SiteNow::of(runner, agent, drafts);
    let version = now.version();
    let before = Arc::clone(&lock(&agent.counted));
    if before.complete_at == Some(version) {
        return before;
    }
    let (mut site, wall_ms) = (now.into_site(), runner.runtime.clock.now().wall_ms);
    let hashes = agent.files.hashes();
    let mut files = before.files.clone();
    files.retain(|id, _| hashes.contains_key(id));
    let (mut left, mut is_complete) = (compiled_max, true);
    for (id, hash) in hashes {
        if files.get(&id).is_some_and(|known| known.text == hash && known.site == version) {
            continue;
        }
        // Beyond the budget the old counts stay: a caller who waits for a list must not compile a whole folder.
        let source = if left == 0 { None } else { agent.source(&id).ok() };
        let Some(source) = source else {
            is_complete = false;
            continue;
        };
        left -= 1;
        let problems = site.compile(&id, &missions::parse(source.as_bytes()), wall_ms).problems;
        files.insert(id, Counted { text: hash, site: version, counts: counts_of(&problems, wall_ms) });
    }
    let counting = Arc::new(Counting { complete_at: is_complete.then_some(version), files });
    *lock(&agent.counted) = Arc::clone(&counting);
    counting
}

/// The counts of a text that was compiled at `wall_ms`.
fn counts_of(problems: &Problems, wall_ms: i64) -> Counts {
    let is_error = |problem: &&Problem| problem.severity == Severity::Error;
    let errors = problems.listed.iter().filter(is_error).count();
    let first = problems.listed.iter().find(is_error);
    Counts {
        errors,
        warnings: problems.listed.len() - errors,
        first: first.map(|problem| format!("line {}: {}", problem.start.line, problem.sentence())),
        compiled_ms: (!problems.has_error).then_some(wall_ms),
        listed: problems.listed.iter().take(LISTED_MAX).map(MissionProblem::from).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use missions::ChangeKind;

    fn checked(text: &str, change: Option<(&'static str, Role)>) -> Checked {
        let change = change.map(|(key, role_needed)| Change {
            key: key.into(),
            kind: ChangeKind::Removed,
            sentence: "Removes a limit on arm-1.".into(),
            said: None,
            role_needed,
        });
        let changes: Vec<Change> = change.into_iter().collect();
        let role_needed = missions::role_needed(&changes);
        Checked { problems: missions::parse(text.as_bytes()).problems, compiled: None, changes, role_needed }
    }

    fn code(result: Result<(), OpError>) -> Option<&'static str> {
        result.err().map(|error| error.code.as_str())
    }

    #[test]
    fn ml_04_ml_05_a_removed_limit_needs_an_admin_and_a_reason() {
        let removed = checked("# Weld", Some(("constraints", Role::Admin)));
        let refused = removed.check_may(Role::Operator, &[], Some("The new tool is lighter.")).unwrap_err();
        assert_eq!(refused.code.as_str(), "forbidden");
        assert!(refused.message.to_string().contains("Removes a limit on arm-1."), "{refused:?}");
        assert_eq!(code(removed.check_may(Role::Admin, &[], None)), Some("reason_missing"));
        assert_eq!(code(removed.check_may(Role::Admin, &[], Some("The new tool is lighter."))), None);
        assert_eq!(
            code(checked("# Weld", None).check_may(Role::Operator, &[], None)),
            None,
            "a plain text asks for nothing"
        );
    }

    #[test]
    fn mi_13_each_warning_is_accepted_with_its_code_and_line() {
        let hiding = checked("# Weld\n<!-- one -->\n<!-- two -->\n", None);
        let accept = |line| Accepted { code: "hidden_text".into(), line };
        assert_eq!(code(hiding.check_no_error()), None);
        let refused = hiding.check_may(Role::Operator, &[accept(2)], None).unwrap_err();
        assert_eq!(refused.details["problems"][0]["line"], 3, "{refused:?}");
        assert_eq!(code(hiding.check_may(Role::Operator, &[accept(3), accept(2)], None)), None);
    }

    #[test]
    fn mc_02_ml_03_every_error_is_in_the_refusal() {
        let wrong = checked("---\nrobot: arm-1\nmode: run\n---\n", None);
        let refused = wrong.check_no_error().unwrap_err();
        assert_eq!(refused.code.as_str(), "has_problems");
        assert_eq!(refused.details["problems"].as_array().map(Vec::len), Some(2), "{refused:?}");
        let counts = counts_of(&wrong.problems, 7);
        assert_eq!((counts.errors, counts.compiled_ms), (2, None));
    }
}
