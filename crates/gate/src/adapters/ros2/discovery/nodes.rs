//! The nodes of a domain, as each participant tells of its own.

use std::marker::PhantomData;

use ros2::Definitions;
use ros2_client::dds::rustdds::DomainParticipant;

use crate::adapters::ros2::domain::{DomainError, RawReader, read};
use crate::adapters::ros2::listening::take;
use crate::adapters::ros2::message::{ENTITIES, Entities, NodeEntities};

/// Messages that are read at one look.
const MESSAGES_PER_LOOK: usize = 64;

/// The topic on which participants tell of their nodes.
pub struct NodeReader {
    definitions: Definitions,
    reader: RawReader,
}

impl NodeReader {
    /// Listens in the domain of `participant`, which must outlive it.
    ///
    /// # Errors
    /// The reader could not be made.
    pub fn open(participant: &DomainParticipant) -> Result<Self, DomainError> {
        let dds_type = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
        let definitions =
            Definitions::parse(ENTITIES).map_err(|error| DomainError::new("ros_discovery_info", error))?;
        Ok(Self { definitions, reader: read(participant, "ros_discovery_info", dds_type, true)? })
    }

    /// Hands what came since the last look to `note`: the identity of a participant, and all of its nodes. A message that
    /// cannot be read is left out.
    pub fn look(&self, mut note: impl FnMut([u8; 16], &[NodeEntities<'_>])) {
        let Some(definition) = self.definitions.get("rmw_dds_common/msg/ParticipantEntitiesInfo") else { return };
        for _ in 0..MESSAGES_PER_LOOK {
            let Some(message) = take(&self.reader) else { return };
            let Ok(message) = message else { continue };
            let Ok(entities) = ros2::read(&message, definition, PhantomData::<Entities<'_>>) else { continue };
            let Ok(participant) = entities.gid.data.try_into() else { continue };
            note(participant, &entities.node_entities_info_seq);
        }
    }
}
