//! News: the samples that contexts may read.

use bridge::signing::SignedSample;
use robot::Sample;

use crate::Sensing;
use runtime::stamps::Stamps;

/// A sample that readers of the world may take for true now. Only [`Sensing::news`] makes one.
#[derive(Debug, Clone, Copy)]
pub struct News<'m>(&'m Sample);

impl<'m> News<'m> {
    /// The sample itself.
    pub(crate) const fn sample(self) -> &'m Sample {
        self.0
    }
}

impl Sensing {
    /// A sample as news for a listener that has taken `stamps`, if its source is believed.
    pub(crate) fn news<'m>(&self, message: &'m SignedSample, stamps: &Stamps) -> Option<News<'m>> {
        self.sources.believes(message, stamps).then_some(News(&message.sample))
    }
}
