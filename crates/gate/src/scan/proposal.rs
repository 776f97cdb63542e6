//! Proposals for fields as every kind of field makes them.

use robot::{FieldProposal, FieldSource, FindField};

use super::group::Group;
use super::seen::EndKind;
use crate::adapters::ros2::text;

/// Choices of one field.
pub const CHOICES_MAX: usize = 32;
/// The parameter that is a robot's description.
pub const DESCRIPTION: &str = "robot_description";

/// A proposal with one value.
pub fn proposal(field: FindField, value: String, source: FieldSource, at: &str, is_guess: bool) -> FieldProposal {
    FieldProposal { field, value: Some(value), choices: Vec::new(), source, at: at.to_owned(), is_guess }
}

/// The first of `values`, with all of them to choose from; a guess if there are several.
pub fn chosen(field: FindField, values: &[&str], source: FieldSource) -> Option<FieldProposal> {
    let first = values.first()?;
    let choices = values.iter().take(CHOICES_MAX).map(|&value| value.to_owned()).collect();
    Some(FieldProposal { choices, ..proposal(field, (*first).to_owned(), source, first, values.len() > 1) })
}

/// Values of which a person has to choose one.
pub fn offered(field: FindField, values: &[&str], source: FieldSource) -> Option<FieldProposal> {
    let chosen = chosen(field, values, source)?;
    Some(FieldProposal { value: None, is_guess: true, ..chosen })
}

/// The next whole millimetre, in metres; what is above one by the error of a calculation alone counts as it.
pub fn up_to_mm(length_m: f64) -> String {
    format!("{:.3}", (length_m * 1000.0 - 1e-6).ceil() / 1000.0)
}

/// The description that one of its nodes publishes, else has as a parameter, and its source.
pub fn description_of<'s>(group: &Group<'s>) -> Option<(String, &'s str)> {
    let mine = |topic: &str| group.ends.iter().any(|end| end.kind == EndKind::Publisher && end.name == topic);
    let mut texts = group.seen.messages.descriptions.iter();
    let published = texts.find(|(topic, _)| mine(topic)).map(|(topic, text)| (topic.clone(), text.as_str()));
    published.or_else(|| {
        group.parameters().find_map(|(node, told)| {
            let text = text(told, DESCRIPTION)?;
            Some((format!("{node} {}", DESCRIPTION), text))
        })
    })
}
