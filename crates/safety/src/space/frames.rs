//! The static frames of one robot, flattened so that a check needs one step from any frame to any other.

use glam::{DQuat, DVec3};
use robot::{FrameId, Manifest, StaticFrame};

use crate::MovingTransform;

/// A frame's place in [`Frames`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FrameIndex(usize);

#[derive(Debug, Clone, Copy, PartialEq)]
struct Isometry {
    rotation: DQuat,
    translation: DVec3,
}

/// A frame as a judgement meets it: one of the set, or one that moves against one of the set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    index: FrameIndex,
    index_from_this: Option<Isometry>,
}

impl From<FrameIndex> for Frame {
    fn from(index: FrameIndex) -> Self {
        Self { index, index_from_this: None }
    }
}

#[derive(Debug)]
struct Entry {
    id: FrameId,
    default_from_this: Isometry,
    this_from_default: Isometry,
}

/// All frames that static transforms connect to the robot's default frame, that one first.
#[derive(Debug)]
pub(crate) struct Frames(Vec<Entry>);

impl Isometry {
    const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    fn apply(self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    fn inverse(self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// First `inner`, then `self`.
    fn after(self, inner: Self) -> Self {
        Self { rotation: self.rotation * inner.rotation, translation: self.apply(inner.translation) }
    }
}

fn parent_from_child(frame: &StaticFrame) -> Isometry {
    isometry(&robot::Isometry { translation_m: frame.translation_m, rotation: frame.rotation_xyzw })
}

fn isometry(plain: &robot::Isometry) -> Isometry {
    Isometry { rotation: DQuat::from_array(plain.rotation.xyzw()), translation: DVec3::from_array(plain.translation_m) }
}

impl Entry {
    fn new(id: FrameId, default_from_this: Isometry) -> Self {
        Self { id, default_from_this, this_from_default: default_from_this.inverse() }
    }
}

impl Frames {
    pub(crate) fn new(manifest: &Manifest) -> Self {
        let mut frames = Self(vec![Entry::new(manifest.default_frame.clone(), Isometry::IDENTITY)]);
        // Each round reaches one step farther, so as many rounds as there are transforms reach everything.
        for _ in &manifest.frames {
            for frame in &manifest.frames {
                let (parent, child) = (frames.index_of(&frame.parent), frames.index_of(&frame.child));
                let step = parent_from_child(frame);
                match (parent, child) {
                    (Some(parent), None) => {
                        let default_from_child = frames.0[parent.0].default_from_this.after(step);
                        frames.0.push(Entry::new(frame.child.clone(), default_from_child));
                    }
                    (None, Some(child)) => {
                        let default_from_parent = frames.0[child.0].default_from_this.after(step.inverse());
                        frames.0.push(Entry::new(frame.parent.clone(), default_from_parent));
                    }
                    // Both known: the first chain of transforms stays. Neither: a later round may reach them.
                    (Some(_), Some(_)) | (None, None) => {}
                }
            }
        }
        frames
    }

    /// The robot's default frame.
    pub(crate) fn default_index(&self) -> FrameIndex {
        FrameIndex(0)
    }

    /// The id of the robot's default frame.
    pub(crate) fn default_id(&self) -> &FrameId {
        &self.0[0].id
    }

    pub(crate) fn index_of(&self, id: &FrameId) -> Option<FrameIndex> {
        self.0.iter().position(|entry| &entry.id == id).map(FrameIndex)
    }

    /// The frame that `transform` connects to the set and that is not of the set itself.
    pub(crate) fn moving(&self, id: &FrameId, transform: &MovingTransform) -> Option<Frame> {
        let parent_from_child = isometry(&transform.parent_from_child);
        let (known, index_from_this) = if &transform.child == id {
            (&transform.parent, parent_from_child)
        } else if &transform.parent == id {
            (&transform.child, parent_from_child.inverse())
        } else {
            return None;
        };
        Some(Frame { index: self.index_of(known)?, index_from_this: Some(index_from_this) })
    }

    /// `point` of frame `from`, in frame `to`. Within one frame the numbers stay exactly as they are.
    pub(crate) fn convert(&self, point: DVec3, from: impl Into<Frame>, to: impl Into<Frame>) -> DVec3 {
        let (from, to) = (from.into(), to.into());
        if from == to {
            return point;
        }
        let point = from.index_from_this.map_or(point, |step| step.apply(point));
        let point = if from.index == to.index {
            point
        } else {
            self.0[to.index.0].this_from_default.apply(self.0[from.index.0].default_from_this.apply(point))
        };
        to.index_from_this.map_or(point, |step| step.inverse().apply(point))
    }

    /// `direction` of frame `from`, in frame `to`.
    pub(crate) fn rotate(&self, direction: DVec3, from: impl Into<Frame>, to: impl Into<Frame>) -> DVec3 {
        let (from, to) = (from.into(), to.into());
        if from == to {
            return direction;
        }
        let turn = |step: Option<Isometry>| step.map_or(DQuat::IDENTITY, |step| step.rotation);
        let direction = turn(from.index_from_this) * direction;
        let direction = self.0[from.index.0].default_from_this.rotation * direction;
        turn(to.index_from_this).conjugate() * (self.0[to.index.0].this_from_default.rotation * direction)
    }
}
