//! Forgotten texts, taken out of what was activated.

use std::sync::Arc;

use memory::forget::Needles;
use missions::MissionFile;
use runtime::lock::lock;

use super::{Lives, Version};

impl Lives {
    /// Takes forgotten texts out of what was activated.
    pub fn forget(&self, needles: &Needles, mark: &str) {
        for (id, life) in lock(&self.lives).change().iter_mut() {
            let life = Arc::make_mut(life);
            if let Some(run) = &mut life.run {
                if let Some(kept) = needles.replaced(&run.trigger, mark) {
                    // The same words stand in the data, which has no place for a mark; the sentence alone is kept.
                    (run.trigger, run.start) = (kept, None);
                }
                for goal in &mut run.goals {
                    if let Some(kept) = goal.detail.as_ref().and_then(|detail| needles.replaced(detail, mark)) {
                        (goal.detail, goal.reason) = (Some(kept), None);
                    }
                }
            }
            let Some(version) = &mut life.version else { continue };
            let mut kept = Version::clone(version);
            let reason = kept.activation.reason.as_ref().and_then(|reason| needles.replaced(reason, mark));
            kept.activation.reason = reason.or(kept.activation.reason.take());
            let parsed = |source: &str| MissionFile::read(id.clone(), source);
            // Only a text that is still a mission may take its place, or it would be unreadable at the next start.
            let source = needles.replaced_if(&kept.activation.source, mark, |source| parsed(source).is_ok());
            if let Some((source, Ok(file))) = source.map(|source| (source.clone(), parsed(&source))) {
                (kept.activation.source, kept.file) = (source, file);
            }
            *version = Arc::new(kept);
        }
    }
}
