//! The keys between a station and one robot: the station puts below `cmd/`, the robot below `out/`.

use robot::{Manifest, RobotId};

/// The keys of one robot; `S/R` is its site and id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotKeys {
    prefix: String,
}

impl RobotKeys {
    /// The keys of the robot `manifest` describes.
    #[must_use]
    pub fn new(manifest: &Manifest) -> Self {
        Self::of(manifest.site.as_str(), &manifest.id)
    }

    /// The keys of `robot` at `site`.
    #[must_use]
    pub fn of(site: &str, robot: &RobotId) -> Self {
        Self { prefix: format!("{site}/{robot}") }
    }

    /// `S/R/cmd/**`: everything the robot's gate listens to.
    #[must_use]
    pub fn commands(&self) -> String {
        self.key("cmd/**")
    }

    /// `S/R/out/**`: everything the robot publishes.
    #[must_use]
    pub fn outputs(&self) -> String {
        self.key("out/**")
    }

    /// `S/R/cmd/stop`.
    #[must_use]
    pub fn stop(&self) -> String {
        self.key("cmd/stop")
    }

    /// `S/R/cmd/hold`.
    #[must_use]
    pub fn hold(&self) -> String {
        self.key("cmd/hold")
    }

    /// `S/R/cmd/claim`.
    #[must_use]
    pub fn claim(&self) -> String {
        self.key("cmd/claim")
    }

    /// `S/R/cmd/release`.
    #[must_use]
    pub fn release(&self) -> String {
        self.key("cmd/release")
    }

    /// `S/R/cmd/beat`.
    #[must_use]
    pub fn beat(&self) -> String {
        self.key("cmd/beat")
    }

    /// `S/R/cmd/commission`.
    #[must_use]
    pub fn commission(&self) -> String {
        self.key("cmd/commission")
    }

    /// `S/R/out/gate`: where the gate tells of itself and of the robot's commissioning.
    #[must_use]
    pub fn gate(&self) -> String {
        self.key("out/gate")
    }

    /// `S/R/out/ack`: where the gate acknowledges.
    #[must_use]
    pub fn ack(&self) -> String {
        self.key("out/ack")
    }

    /// `S/R/out/beat`: where the gate answers beats.
    #[must_use]
    pub fn beat_answer(&self) -> String {
        self.key("out/beat")
    }

    /// `S/R/out/state/battery`: where a robot with a battery tells of its charge.
    #[must_use]
    pub fn battery(&self) -> String {
        self.key("out/state/battery")
    }

    fn key(&self, rest: &str) -> String {
        format!("{}/{rest}", self.prefix)
    }
}

/// The longest message of a pairing, bytes: a manifest, written as JSON, and a bundle.
pub(crate) const PAIR_MESSAGE_BYTES_MAX: usize = 256 * 1024;

/// The two sides of a pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairSide {
    /// The robot's gate.
    Gate,
    /// The station.
    Station,
}

impl PairSide {
    /// Last chunk of the key on which it puts its messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Gate => "gate",
            Self::Station => "station",
        }
    }

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Gate => Self::Station,
            Self::Station => Self::Gate,
        }
    }
}

/// Key of the messages of `side` about `robot`; `*` stands for any site or robot.
#[must_use]
pub fn pair_key(site: &str, robot: &str, side: PairSide) -> String {
    format!("{site}/pair/{robot}/{}", side.name())
}
