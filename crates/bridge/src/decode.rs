//! Reads the wanted fields of a sample: JSON, CBOR or text, with or without a `{header, body}` envelope.

mod cbor;
mod format;
mod json;
mod node;

use robot::{EnvelopeMode, Field, FieldPath, HeaderMeta, RejectReason, Row, Sample, Scalar, Scan, ScanPlan, Scanned};

pub(crate) use format::document;
pub(crate) use node::Node;

/// More rows of one sample are counted but not read.
const ROWS_MAX: usize = 256;

/// The decoder of every codec.
#[derive(Debug, Clone, Copy, Default)]
pub struct Decoder;

impl Scan for Decoder {
    fn scan(&self, sample: &Sample, plan: &ScanPlan) -> Result<Scanned, RejectReason> {
        let raw = document(sample, plan.codec)?;
        let (header, document) = match plan.envelope {
            EnvelopeMode::Auto => unwrap(&raw)?,
            EnvelopeMode::None => (HeaderMeta::default(), &raw),
        };
        let scene = Scene { raw: &raw, document };
        let (elements, fanned_out) = scene.rows(plan.rows.as_ref())?;
        let rows_cut = elements.len().saturating_sub(ROWS_MAX);
        let rows = elements
            .iter()
            .take(ROWS_MAX)
            .map(|element| scene.row(element, fanned_out, &plan.paths))
            .collect::<Result<_, _>>()?;
        Ok(Scanned { header, rows, rows_cut })
    }
}

/// What the roots of a path stand for.
struct Scene<'n> {
    raw: &'n Node,
    document: &'n Node,
}

impl<'n> Scene<'n> {
    /// The rows, and whether they are elements of an array.
    fn rows(&self, path: Option<&FieldPath>) -> Result<(&'n [Node], bool), RejectReason> {
        let array = match path {
            Some(path) => self.start(path, self.document).walk(path.steps())?.ok_or(RejectReason::NoRows)?,
            None => self.document,
        };
        match (array, path) {
            (Node::Array(elements), _) => Ok((elements, true)),
            (Node::Null | Node::Scalar(_) | Node::Opaque | Node::Map(_), None) => {
                Ok((std::slice::from_ref(self.document), false))
            }
            (Node::Null | Node::Scalar(_) | Node::Opaque | Node::Map(_), Some(_)) => Err(RejectReason::NoRows),
        }
    }

    fn row(&self, element: &'n Node, fanned_out: bool, paths: &[FieldPath]) -> Result<Row, RejectReason> {
        // An element that is no map has nothing a name could lead to: `$` is its only path.
        let stands_for_itself = fanned_out && !matches!(element, Node::Map(_));
        let field = |path: &FieldPath| {
            let whole = path.starts_in_document() && path.steps().is_empty();
            let start = if stands_for_itself && whole { element } else { self.start(path, element) };
            Ok(start.walk(path.steps())?.map_or(Field::Missing, Node::field))
        };
        Ok(Row { fields: paths.iter().map(field).collect::<Result<_, _>>()? })
    }

    fn start(&self, path: &FieldPath, row: &'n Node) -> &'n Node {
        if path.starts_in_raw() {
            self.raw
        } else if path.starts_in_document() {
            self.document
        } else {
            row
        }
    }
}

/// Takes `{header, body}` apart: a map of exactly these two, whose header is a map.
fn unwrap(raw: &Node) -> Result<(HeaderMeta, &Node), RejectReason> {
    let bare = Ok((HeaderMeta::default(), raw));
    let Node::Map(entries) = raw else { return bare };
    if !entries.iter().all(|(key, _)| matches!(key.as_deref(), Some("header" | "body"))) {
        return bare;
    }
    let (Some(header @ Node::Map(_)), Some(body)) = (raw.get("header")?, raw.get("body")?) else { return bare };
    let meta = HeaderMeta {
        ts_ns: integer(header.get("ts_ns")?),
        monotonic_seq: integer(header.get("monotonic_seq")?),
        source_instance: text(header.get("source_instance")?),
        schema_uri: text(header.get("schema_uri")?),
    };
    Ok((meta, body))
}

/// The document that paths start in.
pub(crate) fn unwrapped(raw: &Node) -> &Node {
    unwrap(raw).map_or(raw, |(_, document)| document)
}

fn integer(node: Option<&Node>) -> Option<i64> {
    match node {
        Some(Node::Scalar(Scalar::Int(int))) => Some(*int),
        Some(Node::Scalar(Scalar::Float(_) | Scalar::Bool(_) | Scalar::Text(_))) => None,
        Some(Node::Null | Node::Opaque | Node::Array(_) | Node::Map(_)) | None => None,
    }
}

fn text(node: Option<&Node>) -> Option<String> {
    node.and_then(Node::scalar).and_then(Scalar::as_text).map(str::to_owned)
}

#[cfg(test)]
mod tests;
