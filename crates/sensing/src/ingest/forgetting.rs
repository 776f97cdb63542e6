//! Forgetting in tier 0: in shown entries, rules and contexts, the history, the raw samples, and the rows that wait for
//! the disk.

use std::sync::Arc;

use memory::forget::Needles;
use world::predicate::Predicate;
use world::{AlertRule, Key, Provider, ProviderConfig, ProviderId};

use super::{Ingest, report};
use crate::AgentWorld;
use crate::Sensing;
use runtime::lock::lock;

impl Ingest {
    /// Takes forgotten texts out; no batch that held them is written after this. A source that says them again is
    /// heard.
    pub async fn forget(&self, sensing: &Arc<Sensing>, agent: &Arc<AgentWorld>, needles: &Needles, mark: &str) {
        // Keeps out changes of rules and contexts, which could bring the text back while it is removed.
        let _changing = self.changing.lock().await;
        let now = sensing.runtime.clock.now();
        let notices = self.with_world(agent, |world| world.forget(|text| needles.is_in(text), now));
        report(sensing, agent, &notices);
        self.forget_rules(sensing, agent, needles, mark);
        self.forget_contexts(agent, needles, mark);
        sensing.feeds.forget(needles);
        self.publish(sensing, agent);
        self.published.forget(needles);
        self.write_behind.forget(needles).await;
    }

    /// A rule that quotes a forgotten text goes on without it, with its debounce and its quota.
    fn forget_rules(&self, sensing: &Sensing, agent: &AgentWorld, needles: &Needles, mark: &str) {
        let now = sensing.runtime.clock.now();
        for id in self.alert_ids() {
            let is_valid = |rule: &AlertRule| Predicate::<Key>::parse(&rule.predicate).is_ok();
            let rule = self.world().alert_rule(&id).and_then(|rule| needles.without(rule, mark, is_valid));
            let Some(rule): Option<AlertRule> = rule else { continue };
            let updated = {
                let mut world = self.world();
                world.update_alert(&id, rule, now).map(|(_, mut changes)| {
                    agent.rules.push(&mut changes);
                    changes.notices
                })
            };
            match updated {
                Ok(notices) => report(sensing, agent, &notices),
                Err(error) => {
                    tracing::error!(rule = id.0, %error, "a rule keeps what was forgotten until the next start")
                }
            }
        }
    }

    /// A context that quotes a forgotten text goes on without it.
    fn forget_contexts(&self, agent: &Arc<AgentWorld>, needles: &Needles, mark: &str) {
        let said: Vec<(ProviderId, ProviderConfig)> = lock(&self.contexts)
            .iter()
            .filter_map(|(id, context)| {
                let is_valid = |config: &ProviderConfig| Provider::compile(id.clone(), config.clone()).is_ok();
                Some((id.clone(), needles.without(&context.config, mark, is_valid)?))
            })
            .collect();
        for (id, config) in said {
            let replaced = Provider::compile(id.clone(), config).map_err(Into::into);
            if let Err(error) = replaced.and_then(|provider| self.reword(agent, provider)) {
                tracing::error!(context = %id.0, %error, "a context keeps what was forgotten until the next start");
            }
        }
    }
}
