//! One walk over the bytes of a sample: fills the wanted fields, builds no document, and uses the memory of the walk
//! before. A reader of a codec calls it for every value it meets.

use arrayvec::ArrayVec;
use robot::{Field, HeaderMeta, RejectReason, Row, Scalar, ScalarRef, Scanned};

use super::node::NODES_MAX;
use super::want::{META, Root, RowsHere, Wants};

/// More rows of one sample are counted but not read.
const ROWS_MAX: usize = 256;
/// Wants that can meet in one value: three roots in two readings, and the rows of both.
const ACTIVE_MAX: usize = 10;

/// A reading of a top-level map. Both are followed until the last of its keys is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// The document itself.
    Plain,
    /// An envelope of `header` and `body`.
    Enveloped,
}

/// Owner of the field that is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Raw,
    Document(Reading),
    Row(Reading, usize),
}

/// A want that is met where the walk stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Active {
    want: usize,
    place: Place,
}

/// Wants that are met in one value.
pub(super) type Actives = ArrayVec<Active, ACTIVE_MAX>;

/// A value as a codec meets it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Met<'a> {
    Scalar(ScalarRef<'a>),
    /// Null, bytes, a number that is not finite.
    NotScalar,
    Map,
    Array,
}

impl Met<'_> {
    /// An integer that fits no `i64` counts as a number, not exactly.
    #[expect(clippy::cast_precision_loss, reason = "integers are exact within i64 only")]
    pub(super) fn of_u64(int: u64) -> Self {
        Self::Scalar(i64::try_from(int).map_or(ScalarRef::Float(int as f64), ScalarRef::Int))
    }

    pub(super) const fn of_f64(float: f64) -> Self {
        if float.is_finite() { Self::Scalar(ScalarRef::Float(float)) } else { Self::NotScalar }
    }
}

/// A map or array that is being walked through.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inside {
    visit: u64,
    is_root: bool,
}

/// One reading's fields, and when each was last filled.
#[derive(Debug, Default)]
struct Filled {
    fields: Vec<Field>,
    at: Vec<u64>,
}

/// One reading of the document.
#[derive(Debug, Default)]
struct ReadingState {
    document: Filled,
    scanned: Scanned,
    /// For each row, when each of its fields was last filled.
    filled_at: Vec<Vec<u64>>,
    rows: usize,
    rows_cut: usize,
    has_rows: bool,
    is_ambiguous: bool,
}

/// Signs by which an envelope is recognised.
#[derive(Debug, Default)]
struct Envelope {
    is_possible: bool,
    headers: u32,
    bodies: u32,
    header_is_map: bool,
}

/// The memory of a walk; the next one uses it again.
#[derive(Debug, Default)]
pub struct Workspace {
    raw: Filled,
    plain: ReadingState,
    enveloped: ReadingState,
    /// In which map the child of a want was last met.
    met_in: Vec<u64>,
    /// Rises with every sample and every map.
    visit: u64,
    /// The visit at which this sample began.
    began: u64,
    raw_is_ambiguous: bool,
    envelope: Envelope,
    is_at_root: bool,
    /// For codecs: text that is not in one piece.
    pub(super) text: String,
}

/// A walk under way.
pub(super) struct Walk<'w> {
    wants: &'w Wants,
    pub(super) memory: &'w mut Workspace,
    nodes_left: usize,
    /// Reason that it ended early; the error types of libraries carry none.
    pub(super) met_limit: Option<RejectReason>,
}

impl<'w> Walk<'w> {
    pub(super) fn new(wants: &'w Wants, memory: &'w mut Workspace) -> Self {
        memory.begin(wants);
        Self { wants, memory, nodes_left: NODES_MAX, met_limit: None }
    }

    /// Wants of the document.
    pub(super) fn start(&self) -> Actives {
        let of = |root, place| Active { want: Wants::start(root), place };
        [of(Root::Raw, Place::Raw), of(Root::Document, Place::Document(Reading::Plain))].into_iter().collect()
    }

    /// Counts a value; an error if there are too many.
    pub(super) fn count(&mut self) -> Result<(), RejectReason> {
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or_else(|| self.meet(RejectReason::TooLarge))?;
        Ok(())
    }

    /// Notes the limit that ends the walk.
    pub(super) fn meet(&mut self, limit: RejectReason) -> RejectReason {
        self.met_limit = Some(limit);
        limit
    }

    /// Notes a value, and says where in it to go on.
    fn value(&mut self, actives: &mut Actives, met: Met<'_>) -> Inside {
        let is_root = std::mem::take(&mut self.memory.is_at_root);
        if actives.is_empty() {
            return Inside { visit: 0, is_root };
        }
        let is_array = matches!(met, Met::Array);
        self.memory.envelope.header_is_map |= matches!(met, Met::Map)
            && actives.iter().any(|active| active.place == Place::Raw && active.want == self.wants.header);
        // A copy, because `begin_row` adds to the list.
        for active in actives.clone() {
            let Some(want) = self.wants.get(active.want) else { continue };
            for field in &want.fields {
                self.memory.fill(active.place, *field, met);
            }
            let reading = active.place.reading();
            match want.rows {
                RowsHere::No => {}
                RowsHere::OneOrMany if !is_array => self.begin_row(actives, reading, met, false),
                RowsHere::OneOrMany | RowsHere::Many => self.memory.state(reading).has_rows |= is_array,
            }
        }
        self.memory.visit += 1;
        Inside { visit: self.memory.visit, is_root }
    }

    /// Notes an element of an array, or a value that stands elsewhere.
    pub(super) fn note(&mut self, actives: &mut Actives, parents: Option<&Actives>, met: Met<'_>) -> Inside {
        if let Some(parents) = parents {
            self.element(parents, actives, met);
        }
        self.value(actives, met)
    }

    /// Notes a key that no path can name.
    pub(super) fn unnamed(&mut self, inside: Inside) -> Actives {
        self.memory.envelope.is_possible &= !inside.is_root;
        Actives::new()
    }

    /// Wants of the value of `key` in a map.
    pub(super) fn named(&mut self, actives: &Actives, inside: Inside, key: &str) -> Actives {
        let mut below = Actives::new();
        for active in actives {
            let found = self.wants.get(active.want).and_then(|want| want.named(key));
            if let Some(want) = found {
                self.note_met(want, active.place, inside);
                below.push(Active { want, place: active.place });
            }
        }
        if inside.is_root {
            self.note_root_key(key, &mut below);
        }
        below
    }

    /// Wants of an element of an array; its own value is noted next.
    pub(super) fn indexed(&self, actives: &Actives, index: usize) -> Actives {
        let below = |active: &Active| {
            let want = self.wants.get(active.want)?.indexed(index)?;
            Some(Active { want, place: active.place })
        };
        actives.iter().filter_map(below).collect()
    }

    /// Begins the rows that an element of an array is. `met` is the element.
    fn element(&mut self, parents: &Actives, actives: &mut Actives, met: Met<'_>) {
        for parent in parents {
            let is_rows = self.wants.get(parent.want).is_some_and(|want| want.rows != RowsHere::No);
            if is_rows {
                self.begin_row(actives, parent.place.reading(), met, true);
            }
        }
    }

    fn begin_row(&mut self, actives: &mut Actives, reading: Reading, met: Met<'_>, is_element: bool) {
        let fields = self.wants.plan.paths.len();
        let state = self.memory.state(reading);
        state.has_rows = true;
        if state.rows == ROWS_MAX {
            state.rows_cut += 1;
            return;
        }
        let row = state.rows;
        state.rows += 1;
        // Rows of the sample before are filled again, so that a sample like it allocates nothing.
        if state.scanned.rows.len() <= row {
            state.scanned.rows.push(Row { fields: vec![Field::Missing; fields] });
            state.filled_at.push(vec![0; fields]);
        }
        let place = Place::Row(reading, row);
        if is_element && !matches!(met, Met::Map) {
            // A path of names cannot enter an element that is no map; only `$` can mean it.
            for field in &self.wants.whole {
                self.memory.fill(place, *field, met);
            }
        }
        actives.push(Active { want: Wants::start(Root::Row), place });
        // The row is noted before it is entered, so its own places are filled here.
        let here = self.wants.get(Wants::start(Root::Row)).map(|want| want.fields.as_slice()).unwrap_or_default();
        for field in here {
            self.memory.fill(place, *field, met);
        }
    }

    fn note_met(&mut self, want: usize, place: Place, inside: Inside) {
        let Some(met_in) = self.memory.met_in.get_mut(want) else { return };
        let is_repeated = std::mem::replace(met_in, inside.visit) == inside.visit;
        if !is_repeated {
            return;
        }
        // A repeated field of the header matters only if the document turns out to be an envelope.
        let is_asked_for = self.wants.is_asked_for(want);
        match place {
            Place::Raw if is_asked_for => self.memory.raw_is_ambiguous = true,
            Place::Raw => self.memory.enveloped.is_ambiguous = true,
            Place::Document(reading) | Place::Row(reading, _) if is_asked_for => {
                self.memory.state(reading).is_ambiguous = true;
            }
            Place::Document(_) | Place::Row(..) => {}
        }
    }

    fn note_root_key(&mut self, key: &str, below: &mut Actives) {
        let unwraps = self.wants.unwraps();
        let envelope = &mut self.memory.envelope;
        match key {
            "header" => envelope.headers += 1,
            "body" => {
                envelope.bodies += 1;
                if unwraps && envelope.is_possible && envelope.bodies == 1 {
                    let place = Place::Document(Reading::Enveloped);
                    below.push(Active { want: Wants::start(Root::Document), place });
                }
            }
            _ => envelope.is_possible = false,
        }
    }
}

impl Place {
    const fn reading(self) -> Reading {
        match self {
            Self::Raw => Reading::Plain,
            Self::Document(reading) | Self::Row(reading, _) => reading,
        }
    }
}

impl Workspace {
    fn begin(&mut self, wants: &Wants) {
        let fields = wants.roots.len();
        for filled in [&mut self.raw, &mut self.plain.document, &mut self.enveloped.document] {
            filled.fields.resize(fields, Field::Missing);
            filled.at.resize(fields, 0);
        }
        self.met_in.resize(wants.len(), 0);
        self.visit += 1;
        self.began = self.visit;
        self.raw_is_ambiguous = false;
        self.envelope = Envelope { is_possible: true, ..Envelope::default() };
        self.is_at_root = true;
        for state in [&mut self.plain, &mut self.enveloped] {
            (state.rows, state.rows_cut, state.has_rows, state.is_ambiguous) = (0, 0, false, false);
        }
    }

    fn state(&mut self, reading: Reading) -> &mut ReadingState {
        match reading {
            Reading::Plain => &mut self.plain,
            Reading::Enveloped => &mut self.enveloped,
        }
    }

    fn fill(&mut self, place: Place, field: usize, met: Met<'_>) {
        let began = self.began;
        let (slot, at) = match place {
            Place::Raw => (self.raw.fields.get_mut(field), self.raw.at.get_mut(field)),
            Place::Document(reading) => {
                let filled = &mut self.state(reading).document;
                (filled.fields.get_mut(field), filled.at.get_mut(field))
            }
            Place::Row(reading, row) => {
                let state = self.state(reading);
                let fields = state.scanned.rows.get_mut(row).and_then(|row| row.fields.get_mut(field));
                (fields, state.filled_at.get_mut(row).and_then(|row| row.get_mut(field)))
            }
        };
        let (Some(slot), Some(at)) = (slot, at) else { return };
        *at = began;
        match (met, slot) {
            (Met::Scalar(said), Field::Scalar(known)) => {
                // In place: a text keeps the memory of the one before.
                said.store(known);
            }
            (Met::Scalar(said), slot) => *slot = Field::Scalar(said.into()),
            (Met::NotScalar | Met::Map | Met::Array, slot) => *slot = Field::NotScalar,
        }
    }

    /// Findings of the walk, once it has seen everything.
    pub(super) fn finish(&mut self, wants: &Wants) -> Result<&Scanned, RejectReason> {
        let envelope = &self.envelope;
        let is_enveloped = wants.unwraps() && envelope.is_possible && envelope.header_is_map && envelope.bodies > 0;
        let is_doubled = is_enveloped && (envelope.headers > 1 || envelope.bodies > 1);
        let state = if is_enveloped { &mut self.enveloped } else { &mut self.plain };
        if self.raw_is_ambiguous || state.is_ambiguous || is_doubled {
            return Err(RejectReason::Ambiguous);
        }
        if !state.has_rows {
            return Err(RejectReason::NoRows);
        }
        let began = self.began;
        // The sample before may have had more rows.
        state.scanned.rows.truncate(state.rows);
        state.filled_at.truncate(state.rows);
        for (row, filled_at) in state.scanned.rows.iter_mut().zip(&state.filled_at) {
            for (field, slot) in row.fields.iter_mut().enumerate() {
                if filled_at.get(field) == Some(&began) {
                    continue;
                }
                let shared = match wants.roots.get(field) {
                    Some(Root::Raw) => self.raw.get(field, began),
                    Some(Root::Document) => state.document.get(field, began),
                    Some(Root::Row) | None => None,
                };
                match shared {
                    Some(shared) => slot.clone_from(shared),
                    None => *slot = Field::Missing,
                }
            }
        }
        state.scanned.rows_cut = state.rows_cut;
        let first = wants.plan.paths.len();
        let meta = |place: usize| {
            let field = first + place;
            let filled = match META.get(place) {
                Some((_, Root::Raw)) if is_enveloped => &self.raw,
                // Without an envelope a field `header` belongs to the data.
                Some((_, Root::Raw)) | None => return None,
                Some((_, Root::Document | Root::Row)) => &state.document,
            };
            match filled.get(field, began) {
                Some(Field::Scalar(scalar)) => Some(scalar),
                Some(Field::Missing | Field::NotScalar) | None => None,
            }
        };
        let header = header(meta, &state.scanned.header);
        if let Some(header) = header {
            state.scanned.header = header;
        }
        Ok(&state.scanned)
    }
}

impl Filled {
    fn get(&self, field: usize, began: u64) -> Option<&Field> {
        if self.at.get(field) == Some(&began) { self.fields.get(field) } else { None }
    }
}

/// The header's metadata; none if it is what `known` says already but for the numbers, which it then takes over.
fn header<'a>(meta: impl Fn(usize) -> Option<&'a Scalar>, known: &HeaderMeta) -> Option<HeaderMeta> {
    let text = |place| meta(place).and_then(Scalar::as_text);
    let ros_stamp = || {
        let seconds = meta(5).or_else(|| meta(7)).and_then(integer)?;
        let nanoseconds = meta(6).or_else(|| meta(8)).and_then(integer).unwrap_or(0);
        seconds.checked_mul(1_000_000_000)?.checked_add(nanoseconds)
    };
    let (instance, schema) = (text(2), text(3));
    let is_known = known.source_instance.as_deref() == instance && known.schema_uri.as_deref() == schema;
    let ts_ns = meta(0).and_then(integer).or_else(|| meta(4).and_then(integer)).or_else(ros_stamp);
    let monotonic_seq = meta(1).and_then(integer);
    if is_known && (known.ts_ns, known.monotonic_seq) == (ts_ns, monotonic_seq) {
        return None;
    }
    Some(HeaderMeta {
        ts_ns,
        monotonic_seq,
        source_instance: instance.map(str::to_owned),
        schema_uri: schema.map(str::to_owned),
    })
}

/// A number of the header; of seconds with a fraction the milliseconds.
fn integer(scalar: &Scalar) -> Option<i64> {
    match scalar {
        Scalar::Int(int) => Some(*int),
        #[expect(clippy::cast_possible_truncation, reason = "saturates; a stamp that far off is untrusted anyway")]
        // As seconds this is the year 5138; milliseconds of today are above it.
        Scalar::Float(float) if float.abs() < 1e11 => Some((float * 1_000.0) as i64),
        #[expect(clippy::cast_possible_truncation, reason = "saturates; a stamp that far off is untrusted anyway")]
        Scalar::Float(float) => Some(*float as i64),
        Scalar::Bool(_) | Scalar::Text(_) => None,
    }
}
