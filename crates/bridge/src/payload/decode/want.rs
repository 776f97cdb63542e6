//! Wants of every sample of a key expression, worked out once: the paths of a plan as trees.

use robot::{EnvelopeMode, FieldPath, PathStep, ScanPlan};

/// Fields of the header of an envelope, or of a ROS message. They stand behind the plan's own fields.
pub(super) const META: [(&str, Root); 9] = [
    ("$$.header.ts_ns", Root::Raw),
    ("$$.header.monotonic_seq", Root::Raw),
    ("$$.header.source_instance", Root::Raw),
    ("$$.header.schema_uri", Root::Raw),
    ("$.header.stamp", Root::Document),
    ("$.header.stamp.sec", Root::Document),
    ("$.header.stamp.nanosec", Root::Document),
    ("$.header.stamp.secs", Root::Document),
    ("$.header.stamp.nsecs", Root::Document),
];

/// Start of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// The whole document.
    Raw,
    /// The document, or the body if it is an envelope.
    Document,
    /// The row.
    Row,
}

/// Tells if the rows are here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum RowsHere {
    #[default]
    No,
    /// If this is an array its elements are the rows; if not, it is one row itself.
    OneOrMany,
    /// This has to be an array.
    Many,
}

/// A place in a document and the wants from there on.
#[derive(Debug, Default)]
pub(super) struct Want {
    /// Fields whose value stands here.
    pub(super) fields: Vec<usize>,
    /// Wants below this one, by map key.
    names: Vec<(Box<str>, usize)>,
    /// Wants below this one, by array index.
    indices: Vec<(usize, usize)>,
    pub(super) rows: RowsHere,
}

impl Want {
    pub(super) fn named(&self, key: &str) -> Option<usize> {
        self.names.iter().find(|(name, _)| **name == *key).map(|(_, want)| *want)
    }

    pub(super) fn indexed(&self, index: usize) -> Option<usize> {
        self.indices.iter().find(|(known, _)| *known == index).map(|(_, want)| *want)
    }
}

/// The paths of a plan as one tree for each root.
#[derive(Debug)]
pub struct Wants {
    pub(super) plan: ScanPlan,
    wants: Vec<Want>,
    /// For each field, the plan's and then those of the header, where its path starts.
    pub(super) roots: Vec<Root>,
    /// Index of the want at an envelope's header.
    pub(super) header: usize,
    /// Fields whose path is `$` alone: in a row that is no map they mean the row.
    pub(super) whole: Vec<usize>,
}

impl Wants {
    /// Works out `plan`.
    #[must_use]
    pub fn new(plan: &ScanPlan) -> Self {
        let mut wants = Self {
            plan: plan.clone(),
            // One start for each `Root`, whose number is its place here.
            wants: std::iter::repeat_with(Want::default).take(3).collect(),
            roots: Vec::new(),
            header: 0,
            whole: Vec::new(),
        };
        for (field, path) in plan.paths.iter().enumerate() {
            let root = root(path);
            if root == Root::Document && path.steps().is_empty() {
                wants.whole.push(field);
            }
            wants.add(root, path.steps(), field);
        }
        for (field, (text, root)) in (plan.paths.len()..).zip(META) {
            let path = FieldPath::parse(text);
            let steps = path.as_ref().map(FieldPath::steps).unwrap_or_default();
            wants.add(root, steps, field);
        }
        wants.header = wants.place(Root::Raw, &[PathStep::Name("header".into())]);
        let (root, steps, rows) = match &plan.rows {
            Some(path) if path.starts_in_raw() => (Root::Raw, path.steps(), RowsHere::Many),
            Some(path) => (Root::Document, path.steps(), RowsHere::Many),
            None => (Root::Document, &[][..], RowsHere::OneOrMany),
        };
        let here = wants.place(root, steps);
        if let Some(want) = wants.wants.get_mut(here) {
            want.rows = rows;
        }
        wants
    }

    /// True if envelopes are unwrapped.
    pub(super) fn unwraps(&self) -> bool {
        match self.plan.envelope {
            EnvelopeMode::Auto => true,
            EnvelopeMode::None => false,
        }
    }

    /// Index of the want at which the paths of `root` begin.
    pub(super) const fn start(root: Root) -> usize {
        root as usize
    }

    pub(super) fn get(&self, want: usize) -> Option<&Want> {
        self.wants.get(want)
    }

    /// Number of places.
    pub(super) fn len(&self) -> usize {
        self.wants.len()
    }

    /// True for a field of the header, which is read beside those of the plan.
    pub(super) fn is_meta(&self, field: usize) -> bool {
        field >= self.plan.paths.len()
    }

    /// True if a plan's own field stands at `want` or below.
    pub(super) fn is_asked_for(&self, want: usize) -> bool {
        let Some(here) = self.wants.get(want) else { return false };
        let below = here.names.iter().map(|(_, want)| want).chain(here.indices.iter().map(|(_, want)| want));
        here.rows != RowsHere::No
            || here.fields.iter().any(|field| !self.is_meta(*field))
            || below.into_iter().any(|want| self.is_asked_for(*want))
    }

    fn add(&mut self, root: Root, steps: &[PathStep], field: usize) {
        let place = self.place(root, steps);
        if let Some(want) = self.wants.get_mut(place) {
            want.fields.push(field);
        }
        self.roots.push(root);
    }

    fn place(&mut self, root: Root, steps: &[PathStep]) -> usize {
        steps.iter().fold(Self::start(root), |at, step| self.below(at, step))
    }

    fn below(&mut self, at: usize, step: &PathStep) -> usize {
        let new = self.wants.len();
        let Some(want) = self.wants.get_mut(at) else { return at };
        let known = match step {
            PathStep::Name(name) => want.named(name),
            PathStep::Index(index) => want.indexed(*index),
        };
        if let Some(known) = known {
            return known;
        }
        match step {
            PathStep::Name(name) => want.names.push((name.as_str().into(), new)),
            PathStep::Index(index) => want.indices.push((*index, new)),
        }
        self.wants.push(Want::default());
        new
    }
}

fn root(path: &FieldPath) -> Root {
    if path.starts_in_raw() {
        Root::Raw
    } else if path.starts_in_document() {
        Root::Document
    } else {
        Root::Row
    }
}
