//! Counts of hook calls since the start, by outcome.

use std::sync::Mutex;

use agent::HookVerdict;

use runtime::config::HookSettings;
use runtime::lock::lock;
use runtime::wire::HookRow;

/// The counts of the hooks of a station; as many as there are hooks.
#[derive(Debug, Default)]
pub(crate) struct Tally(Mutex<Vec<(HookSettings, Counts)>>);

#[derive(Debug, Clone, Default)]
struct Counts {
    asked: u64,
    changed: u64,
    denied: u64,
    failed: u64,
    problem: Option<String>,
}

impl Tally {
    /// Counts one more answer of `hook`; counts of hooks that are not in `present` any more are given up.
    pub fn note(&self, present: &[HookSettings], hook: &HookSettings, answer: &Result<HookVerdict, String>) {
        let mut all = lock(&self.0);
        all.retain(|(counted, _)| present.contains(counted));
        let at = all.iter().position(|(counted, _)| counted == hook).unwrap_or_else(|| {
            all.push((hook.clone(), Counts::default()));
            all.len() - 1
        });
        let counts = &mut all[at].1;
        counts.asked += 1;
        match answer {
            Ok(HookVerdict::GoOn) => {}
            Ok(HookVerdict::Change(_)) => counts.changed += 1,
            Ok(HookVerdict::Deny(_)) => counts.denied += 1,
            Err(problem) => {
                counts.failed += 1;
                counts.problem = Some(problem.clone());
            }
        }
    }

    /// The hooks as they are declared, each with its counts.
    pub fn rows(&self, hooks: &[HookSettings]) -> Vec<HookRow> {
        let all = lock(&self.0);
        let counts =
            |hook: &HookSettings| all.iter().find(|(counted, _)| counted == hook).map(|(_, counts)| counts.clone());
        let row = |hook: &HookSettings| {
            let Counts { asked, changed, denied, failed, problem } = counts(hook).unwrap_or_default();
            let (on, command, tools) = (hook.on.name().to_owned(), hook.run.clone(), hook.tools.clone());
            HookRow { on, command, tools, asked, changed, denied, failed, problem }
        };
        hooks.iter().map(row).collect()
    }
}
