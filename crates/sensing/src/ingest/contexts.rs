//! The providers of an agent: stored, started, changed and removed while samples flow.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bridge::{BridgeError, Scanner};
use memory::StoredProvider;
use robot::{Instant, MissionId, Now, ScanPlan};
use world::{
    Provider, ProviderConfig, ProviderId, ProviderStats, Trouble, Warning, World, WorldCode, median_period_ms,
};

use super::Ingest;
use super::subscriptions::{Feed, Group};
use crate::AgentWorld;
use crate::Sensing;
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;
use runtime::session::Session;
use runtime::wire::{ContextConfigured, ContextRow, ContextState, ContextTrouble, Tag, word};

/// Contexts that a list takes from the world at once: a receive thread waits for no long list.
const CONTEXTS_PER_LOOK: usize = 16;

/// A provider's stored configuration and the feed that it reads.
pub(super) struct Context {
    pub(super) config: ProviderConfig,
    version: u64,
    /// Its mission has ended: kept to be read, never started.
    pub(super) ended: bool,
    /// The feed that it reads; none while the link does not take the subscription.
    feed: Option<Arc<Feed>>,
}

impl Ingest {
    pub(super) async fn load_contexts(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
    ) -> Result<(), memory::MemoryError> {
        for stored in agent.db.providers().await? {
            let started = match stored {
                Ok(stored) if stored.ended => {
                    self.note_ended(stored);
                    Ok(())
                }
                Ok(stored) => self.start_context(sensing, agent, stored).await.map(drop),
                Err(error) => Err(error.into()),
            };
            // One that cannot start keeps no other from starting.
            if let Err(error) = started {
                sensing.runtime.bus.event_of(&agent.id, "provider_unusable", error.to_string());
            }
        }
        Ok(())
    }

    /// Starts a provider, then stores it.
    pub async fn configure(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        by: &Session,
        config: ProviderConfig,
    ) -> Result<ContextConfigured, OpError> {
        let _changing = self.changing.lock().await;
        let stored = StoredProvider { id: format!("cp-{}", uuid::Uuid::now_v7()), config, version: 1, ended: false };
        let (state, warnings) = self.add_context(sensing, agent, by.actor(), stored.clone()).await?;
        let message = format!("Context {} configured", stored.id);
        Ok(ContextConfigured { message, id: stored.id, version: 1, state, warnings })
    }

    /// Starts a provider, then stores it. The caller holds `changing`.
    pub(super) async fn add_context(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        actor: &str,
        stored: StoredProvider,
    ) -> Result<(ContextState, Vec<Warning>), OpError> {
        let (id, at) = (ProviderId(stored.id.as_str().into()), sensing.runtime.clock.now());
        // Started first, because that checks it against what runs and against the link; what the disk
        // does not take is stopped again.
        let started = self.start_context(sensing, agent, stored.clone()).await?;
        if let Err(error) = agent.db.add_provider(&stored, actor, at.wall_ms).await {
            self.stop_context(agent, &id);
            return Err(error.into());
        }
        sensing.runtime.bus.changed(Tag::Contexts);
        Ok(started)
    }

    /// Stops a provider and forgets it. What it wrote stays, and ages. The caller holds `changing`.
    pub(super) async fn end_context(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        id: &ProviderId,
    ) -> Result<(), OpError> {
        // From the disk first: after a crash it must not start again.
        agent.db.remove_provider(&id.0).await?;
        self.world().end_provider(id);
        let ended = lock(&self.contexts).remove(id);
        if let Some(context) = ended {
            self.leave(agent, context);
        }
        sensing.runtime.bus.changed(Tag::Contexts);
        Ok(())
    }

    /// Replaces the parameters of a provider in one step, if `version` is still the present one.
    pub async fn update(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        id: &ProviderId,
        version: u64,
        config: ProviderConfig,
    ) -> Result<ContextConfigured, OpError> {
        let _changing = self.changing.lock().await;
        let (present, ended) = self.version_of(id)?;
        if present != version {
            let message = format!("Somebody has changed {} meanwhile: its version is {present}.", id.0);
            return Err(OpError::new(RuntimeCode::VersionConflict, message));
        }
        if ended {
            return Err(OpError::new(RuntimeCode::WrongState, format!("The mission of {} has ended.", id.0)));
        }
        let provider = Provider::compile(id.clone(), config.clone())?;
        self.world().check_replacement(&provider)?;
        let feed = open(sensing, &config.topic_pattern).await?;
        let stored =
            StoredProvider { id: id.0.to_string(), config: config.clone(), version: version + 1, ended: false };
        // On disk before it is in force, so that no answer names a version that a crash would undo.
        if !agent.db.update_provider(&stored).await? {
            return Err(OpError::new(RuntimeCode::VersionConflict, format!("{} was changed by somebody else.", id.0)));
        }
        let warnings = self.replace(agent, provider, stored.version, feed)?;
        sensing.runtime.bus.changed(Tag::Contexts);
        let (message, state) = (format!("Context {} updated", id.0), self.state_of(id));
        Ok(ContextConfigured { message, id: stored.id, version: stored.version, state, warnings })
    }

    /// Stops a provider, takes back what it claims, and forgets it.
    pub async fn remove(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        id: &ProviderId,
    ) -> Result<(), OpError> {
        let _changing = self.changing.lock().await;
        self.version_of(id)?;
        agent.db.remove_provider(&id.0).await?;
        self.stop_context(agent, id);
        sensing.runtime.bus.changed(Tag::Contexts);
        Ok(())
    }

    /// Every provider, by id.
    pub async fn contexts(&self, now: Now, mission: Option<MissionId>) -> Result<Vec<ContextRow>, OpError> {
        // Copied, so that no lock is held while the world is waited for.
        let known: Vec<(ProviderId, ContextRow)> = lock(&self.contexts)
            .iter()
            .filter(|(_, context)| mission.is_none() || context.config.mission_id == mission)
            .map(|(id, context)| (id.clone(), context.row(id)))
            .collect();
        let mut rows = Vec::with_capacity(known.len());
        for part in known.chunks(CONTEXTS_PER_LOOK) {
            let part = part.to_vec();
            let fill = move |world: &World| -> Vec<ContextRow> {
                part.into_iter().map(|(id, row)| filled(world, &id, row, now)).collect()
            };
            rows.extend(self.ask(fill).await?);
        }
        Ok(rows)
    }

    /// The configuration of a provider.
    pub fn config_of(&self, id: &ProviderId) -> Result<ProviderConfig, OpError> {
        let found = lock(&self.contexts).get(id).map(|context| context.config.clone());
        found.ok_or_else(|| OpError::not_found(WorldCode::ContextNotFound, "context", &id.0))
    }

    /// Subscribes for providers whose subscription the link did not take.
    pub(crate) async fn retry_waiting(&self, sensing: &Arc<Sensing>, agent: &Arc<AgentWorld>) {
        let waiting: Vec<(ProviderId, String)> = lock(&self.contexts)
            .iter()
            .filter(|(_, context)| context.waits_for(&context.config.topic_pattern))
            .map(|(id, context)| (id.clone(), context.config.topic_pattern.clone()))
            .collect();
        for (id, pattern) in waiting {
            // What fails again is tried with the next round.
            let Ok(Some(feed)) = open(sensing, &pattern).await else { continue };
            // Somebody may have changed or removed it while the link was asked.
            let is_taken = match lock(&self.contexts).get_mut(&id).filter(|context| context.waits_for(&pattern)) {
                Some(context) => {
                    context.feed = Some(feed);
                    true
                }
                None => false,
            };
            if is_taken {
                self.deal_out(agent, &pattern);
            }
        }
    }

    async fn start_context(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        stored: StoredProvider,
    ) -> Result<(ContextState, Vec<Warning>), OpError> {
        let id = ProviderId(stored.id.into());
        let (config, version) = (stored.config, stored.version);
        let provider = Provider::compile(id.clone(), config.clone())?;
        // Before the link is asked, so that nothing is subscribed to for a context that is refused.
        self.world().check_addition(&provider)?;
        let feed = open(sensing, &config.topic_pattern).await?;
        let mut warnings = {
            let mut world = self.world();
            let warnings = world.warnings_about(&provider);
            world.add_provider(provider.clone())?;
            warnings
        };
        warnings.extend(of_samples(&provider, feed.as_deref()));
        let pattern = config.topic_pattern.clone();
        lock(&self.contexts).insert(id.clone(), Context { config, version, ended: false, feed });
        self.deal_out(agent, &pattern);
        Ok((self.state_of(&id), warnings))
    }

    fn replace(
        &self,
        agent: &Arc<AgentWorld>,
        provider: Provider,
        version: u64,
        feed: Option<Arc<Feed>>,
    ) -> Result<Vec<Warning>, OpError> {
        let (id, config) = (provider.id().clone(), provider.config().clone());
        let of_samples = of_samples(&provider, feed.as_deref());
        let pattern = config.topic_pattern.clone();
        let context = Context { config, version, ended: false, feed };
        let (mut warnings, before) = {
            // Nothing is applied between the change and what its feeds are told.
            let mut world = self.world();
            let warnings = world.warnings_about(&provider);
            world.replace_provider(provider)?;
            let before = lock(&self.contexts).insert(id, context);
            self.deal_out_in(&mut world, agent, &pattern);
            // On the same pattern the new context reads the same feed.
            if let Some(before) = before.as_ref().filter(|before| before.config.topic_pattern != pattern) {
                self.leave_in(&mut world, agent, before);
            }
            (warnings, before)
        };
        // The last holder of a subscription ends it, and that may wait for a receive thread.
        drop(before);
        warnings.extend(of_samples);
        Ok(warnings)
    }

    /// Puts other words into a context that goes on as it was.
    pub(super) fn reword(&self, agent: &Arc<AgentWorld>, provider: Provider) -> Result<(), OpError> {
        let known = lock(&self.contexts).get(provider.id()).map(|context| (context.version, context.feed.clone()));
        match known {
            Some((version, feed)) => self.replace(agent, provider, version, feed).map(drop),
            None => Ok(()),
        }
    }

    fn stop_context(&self, agent: &Arc<AgentWorld>, id: &ProviderId) {
        self.world().remove_provider(id);
        let stopped = lock(&self.contexts).remove(id);
        if let Some(context) = stopped {
            self.leave(agent, context);
        }
    }

    /// Stops reading for a provider; its subscription goes with the last who reads it.
    fn leave(&self, agent: &Arc<AgentWorld>, context: Context) {
        self.leave_in(&mut self.world(), agent, &context);
        drop(context);
    }

    fn leave_in(&self, world: &mut World, agent: &Arc<AgentWorld>, context: &Context) {
        let pattern = &context.config.topic_pattern;
        self.deal_out_in(world, agent, pattern);
        // An agent reads a feed with all its contexts on the pattern, so that only the last of them leaves it.
        let is_read = lock(&self.contexts).values().any(|other| other.config.topic_pattern == *pattern);
        if let Some(feed) = context.feed.as_ref().filter(|_| !is_read) {
            feed.read_by(agent, Vec::new());
        }
    }

    /// Tells the feed of `pattern` what this agent's providers want: providers that read alike share one scan.
    fn deal_out(&self, agent: &Arc<AgentWorld>, pattern: &str) {
        self.deal_out_in(&mut self.world(), agent, pattern);
    }

    fn deal_out_in(&self, world: &mut World, agent: &Arc<AgentWorld>, pattern: &str) {
        let feed = {
            let contexts = lock(&self.contexts);
            let on_pattern = |context: &&Context| context.config.topic_pattern == pattern;
            contexts.values().filter(on_pattern).find_map(|context| context.feed.clone())
        };
        let Some(feed) = feed else { return };
        let mut dealt = Vec::new();
        for (plan, providers) in reading_alike(world, pattern) {
            let order = world.set_fields(&providers, &plan.paths);
            dealt.push(Group { scanner: Mutex::new(Scanner::new(&plan)), providers, order });
        }
        feed.read_by(agent, dealt);
    }

    fn version_of(&self, id: &ProviderId) -> Result<(u64, bool), OpError> {
        let found = lock(&self.contexts).get(id).map(|context| (context.version, context.ended));
        found.ok_or_else(|| OpError::not_found(WorldCode::ContextNotFound, "context", &id.0))
    }

    fn state_of(&self, id: &ProviderId) -> ContextState {
        lock(&self.contexts).get(id).map_or(ContextState::Ended, Context::state)
    }

    fn note_ended(&self, stored: StoredProvider) {
        let context = Context { config: stored.config, version: stored.version, ended: true, feed: None };
        lock(&self.contexts).insert(ProviderId(stored.id.into()), context);
    }
}

impl Ingest {
    /// Every provider as it is held.
    pub(super) fn held_contexts(&self) -> Vec<StoredProvider> {
        let held = |(id, context): (&ProviderId, &Context)| StoredProvider {
            id: id.0.to_string(),
            config: context.config.clone(),
            version: context.version,
            ended: context.ended,
        };
        lock(&self.contexts).iter().map(held).collect()
    }
}

impl Context {
    /// True if it lives with `mission`.
    pub(super) fn is_of(&self, mission: &MissionId) -> bool {
        !self.ended && self.config.mission_id.as_ref() == Some(mission)
    }

    /// True while it has no subscription to `pattern` and needs one.
    fn waits_for(&self, pattern: &str) -> bool {
        self.feed.is_none() && !self.ended && self.config.topic_pattern == pattern
    }

    const fn state(&self) -> ContextState {
        match (self.ended, &self.feed) {
            (true, _) => ContextState::Ended,
            (false, None) => ContextState::WaitingForLink,
            (false, Some(_)) => ContextState::Running,
        }
    }

    fn row(&self, id: &ProviderId) -> ContextRow {
        ContextRow {
            id: id.0.to_string(),
            version: self.version,
            state: self.state(),
            config: self.config.clone(),
            keys: 0,
            rate_hz: 0.0,
            bytes_per_s: 0.0,
            last_sample_age_ms: None,
            samples: 0,
            rows: 0,
            rows_cut: 0,
            matched: 0,
            rejects: BTreeMap::new(),
            keys_replaced: 0,
            missing: 0,
            trouble: None,
            warnings: Vec::new(),
        }
    }
}

/// Subscribes; none if the link does not take it now, an error if it never will.
async fn open(sensing: &Arc<Sensing>, pattern: &str) -> Result<Option<Arc<Feed>>, OpError> {
    match sensing.feeds.open(sensing, pattern).await {
        Ok(feed) => Ok(Some(feed)),
        Err(error @ BridgeError::Declare { .. }) => {
            tracing::warn!(pattern, %error, "a context waits for the link");
            Ok(None)
        }
        Err(error) => Err(OpError::bad_input(error.code(), "topic_pattern", error.to_string())),
    }
}

fn of_samples(provider: &Provider, feed: Option<&Feed>) -> Option<Warning> {
    let kept = feed.map(Feed::kept).unwrap_or_default();
    provider.warnings_of_samples(kept.len(), median_period_ms(kept.iter().map(AsRef::as_ref)))
}

/// The running providers on `pattern`, those together that read a sample in the same way, with what they want of it.
fn reading_alike(world: &World, pattern: &str) -> Vec<(ScanPlan, Vec<ProviderId>)> {
    let mut groups: Vec<(ScanPlan, Vec<ProviderId>)> = Vec::new();
    for provider in world.providers().filter(|provider| provider.config().topic_pattern == pattern) {
        let plan = provider.own_plan();
        let reads_alike = |(known, _): &&mut (ScanPlan, Vec<ProviderId>)| {
            (known.codec, known.envelope, &known.rows) == (plan.codec, plan.envelope, &plan.rows)
        };
        match groups.iter_mut().find(reads_alike) {
            Some((known, providers)) => {
                let new = plan.paths.into_iter().filter(|path| !known.paths.contains(path)).collect::<Vec<_>>();
                known.paths.extend(new);
                providers.push(provider.id().clone());
            }
            None => groups.push((plan, vec![provider.id().clone()])),
        }
    }
    groups
}

fn filled(world: &World, id: &ProviderId, row: ContextRow, now: Now) -> ContextRow {
    let Some((provider, stats)) = world.provider(id).zip(world.provider_stats(id)) else { return row };
    let (rate_hz, bytes_per_s) = stats.rates(now.station);
    let state = if world.is_paused(id) { ContextState::Paused } else { row.state };
    ContextRow {
        state,
        keys: world.keys_of(id) as u64,
        rate_hz,
        bytes_per_s,
        last_sample_age_ms: stats.last_sample.map(|at| now.station.ms_since(at)),
        samples: stats.samples,
        rows: stats.rows,
        rows_cut: stats.rows_cut,
        matched: stats.matched,
        rejects: stats.rejects.iter().map(|(reason, count)| (word(reason), *count)).collect(),
        keys_replaced: stats.keys_replaced,
        missing: stats.missing,
        trouble: trouble(provider, stats, now.station),
        warnings: world.warnings_about(provider),
        ..row
    }
}

fn trouble(provider: &Provider, stats: &ProviderStats, at: Instant) -> Option<ContextTrouble> {
    stats.trouble(provider.max_age(), at).map(|trouble| match trouble {
        Trouble::RejectsAll => ContextTrouble::RejectsAll,
        Trouble::NoSample => ContextTrouble::NoSample,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_that_was_changed_while_the_link_was_asked_takes_no_feed_of_its_old_pattern() {
        let config: ProviderConfig = serde_json::from_value(serde_json::json!({
            "topic_pattern": "lab/a", "world_state_key_template": "x", "value_field": "v",
        }))
        .unwrap();
        let context = |ended| Context { config: config.clone(), version: 2, ended, feed: None };
        assert!(context(false).waits_for("lab/a"));
        assert!(!context(false).waits_for("lab/b"));
        assert!(!context(true).waits_for("lab/a"));
    }
}
