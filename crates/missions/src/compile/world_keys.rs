//! Providers that are odd, and keys of the world state that nothing writes.

use world::predicate::Rule;
use world::{Key, Provider, ProviderId, World};

use super::{Compiler, Place};
use crate::format::front::{Goal, Precondition, Trigger, names};
use crate::problem::ProblemCode;

impl<'c> Compiler<'c> {
    pub(super) fn check_world_keys(&mut self) {
        let own = self.check_providers();
        for (rule, place) in self.rules() {
            for key in rule.names() {
                self.check_key(key, &own, &place);
            }
        }
    }

    /// The providers of the file; what is odd about them is told.
    fn check_providers(&mut self) -> Vec<Provider> {
        let empty = World::new();
        let mut own: Vec<Provider> = Vec::new();
        for (at, config) in self.parsed.front.providers.iter().enumerate() {
            let id = ProviderId(format!("provider {}", at + 1).into());
            let Ok(provider) = Provider::compile(id, config.value.clone()) else { continue };
            let place = self.entry("providers", config.span);
            for warning in empty.warnings_about(&provider) {
                let message = format!("The provider is legal and odd: {}.", warning.message);
                self.warn(ProblemCode::ProviderWarning, &place, message, "Change it, or accept it when you activate.");
            }
            // Two writers of one key overwrite each other, and a rule sees whichever came last.
            let others = own.iter().chain(&self.catalog.providers);
            if let Some(other) = others.into_iter().find(|other| other.shares_keys(&provider)) {
                let message = format!("`{}` can write the same keys.", other.id().0);
                let help = "Use the keys that are written already, or give this provider keys of its own.";
                self.warn(ProblemCode::ProviderWarning, &place.at("world_state_key_template"), message, help);
            }
            own.push(provider);
        }
        own
    }

    fn check_key(&mut self, key: &Key, own: &[Provider], place: &Place<'_>) {
        let known = || self.catalog.providers.iter().chain(own);
        if known().any(|provider| provider.template().can_write(key)) {
            return;
        }
        let templates: Vec<&str> =
            known().map(|provider| provider.config().world_state_key_template.as_str()).collect();
        let message = format!("Nothing writes `{}`, so that what asks about it stays unknown.", key.as_str());
        let help = match names::nearest(key.as_str(), &templates) {
            Some(nearest) => format!("Did you mean `{nearest}`?"),
            None => "Add a provider that writes it.".into(),
        };
        self.warn(ProblemCode::DanglingKey, place, message, help);
    }

    /// Every predicate over the world state, with its place.
    fn rules(&self) -> Vec<(Rule, Place<'c>)> {
        let front = &self.parsed.front;
        let mut rules = Vec::new();
        for alert in &front.alerts {
            let place = self.entry("alerts", alert.span);
            rules.extend(Rule::parse(&alert.value.predicate).ok().map(|rule| (rule, place.at("predicate"))));
            let suppress = alert.value.alarm.as_ref().and_then(|alarm| alarm.suppress_when.as_deref());
            let suppress = suppress.and_then(|text| Rule::parse(text).ok());
            rules.extend(suppress.map(|rule| (rule, place.at("alarm.suppress_when"))));
        }
        for trigger in &front.triggers {
            match &trigger.value {
                Trigger::When { rule, .. } => {
                    rules.push((rule.clone(), self.entry("triggers", trigger.span).at("when")));
                }
                Trigger::Immediate | Trigger::Spawn | Trigger::Cron(_) | Trigger::At(_) => {}
            }
        }
        for precondition in &front.preconditions {
            match &precondition.value {
                Precondition::Rule(rule) => {
                    rules.push((rule.clone(), self.entry("preconditions", precondition.span)));
                }
                Precondition::Text(_) => {}
            }
        }
        for goal in &front.goals {
            let place = self.entry("goals", goal.span);
            match &goal.value {
                Goal::Text { done_when: Some(rule), .. } => rules.push((rule.clone(), place.at("done_when"))),
                Goal::WaitFor { rule, .. } => rules.push((rule.clone(), place.at("wait_for"))),
                Goal::Text { done_when: None, .. } | Goal::Step { .. } | Goal::WaitSecs(_) => {}
            }
        }
        rules.extend(front.completes_when.as_ref().map(|rule| (rule.value.clone(), self.key("completes_when"))));
        rules
    }
}
