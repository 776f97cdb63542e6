//! Definitions of messages, each with the definitions of what it holds.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use re_ros_msg::MessageSchema;
use re_ros_msg::message_spec::{ArraySize, BuiltInType, ComplexType, MessageSpecification, Type};

use crate::hash;

/// Messages of the packages that every installation of ROS 2 has.
const BUILT_IN: &str = include_str!("definition/messages.msg");
/// Messages within messages; those of ROS 2 itself are nested four deep.
const NESTING_MAX: u8 = 16;

/// A type of message.
#[derive(Debug, PartialEq, Eq)]
pub struct Definition {
    name: Box<str>,
    hash: Box<str>,
    pub(crate) fields: Box<[Field]>,
}

/// One field of a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: Box<str>,
    pub(crate) shape: Shape,
}

/// Form of a field: one value or many. ROS has no arrays of arrays.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    One(Kind),
    Many(Kind, Length),
}

/// Kind of a value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Byte,
    Char,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Float32,
    Float64,
    /// A text of at most that many bytes.
    Text(Option<usize>),
    Message(Arc<Definition>),
}

/// Number of values of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    Exactly(usize),
    AtMost(usize),
    Any,
}

/// Fault of a definition.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionError {
    /// Not in the grammar of `.msg` files.
    #[error("{message}: {reason}")]
    Grammar {
        /// Its name.
        message: String,
        /// The fault.
        reason: String,
    },
    /// A field's type has no definition.
    #[error("{message} has a field of type {field_type}, which has no definition")]
    Unknown {
        /// Its name.
        message: String,
        /// Type of the field.
        field_type: String,
    },
    /// Text of UTF-16, whose bytes differ from one middleware to the next.
    #[error("{0} has a field of type wstring, which is not read")]
    WideText(String),
    /// Nested too deep, or within itself.
    #[error("{0} is nested more than {NESTING_MAX} deep")]
    TooDeep(String),
}

impl Definition {
    /// Its name, for example `nav_msgs/msg/Odometry`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its hash by REP 2016: `RIHS01_` and the SHA-256 of the definition, 64 hex digits.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

/// Definitions by name.
#[derive(Debug, Default)]
pub struct Definitions {
    by_name: BTreeMap<Box<str>, Arc<Definition>>,
    by_dds_type: BTreeMap<Box<str>, Arc<Definition>>,
}

impl Definitions {
    /// Reads definitions one after the other: `MSG: package/Name`, the lines of its `.msg` file, and `===` between two.
    ///
    /// # Errors
    ///
    /// [`DefinitionError`] of the first that cannot be used.
    pub fn parse(text: &str) -> Result<Self, DefinitionError> {
        let mut specifications = BTreeMap::new();
        for section in text.split("\n===\n") {
            let (first, body) = section.split_once('\n').unwrap_or((section, ""));
            let name = first.trim().trim_start_matches("MSG: ");
            let schema = MessageSchema::parse(name, body).map_err(|error| DefinitionError::Grammar {
                message: name.to_owned(),
                reason: error.root_cause().to_string(),
            })?;
            specifications.insert(name, schema.spec);
        }
        let mut definitions = Self::default();
        for name in specifications.keys() {
            definitions.resolve(name, &specifications, NESTING_MAX)?;
        }
        Ok(definitions)
    }

    /// The definition of `name`, for example `nav_msgs/msg/Odometry`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Definition> {
        self.by_name.get(name).map(AsRef::as_ref)
    }

    /// The definition of a type as DDS names it, for example `nav_msgs::msg::dds_::Odometry_`.
    #[must_use]
    pub fn of_dds_type(&self, dds_type: &str) -> Option<&Definition> {
        self.by_dds_type.get(dds_type).map(AsRef::as_ref)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Definition> {
        self.by_name.values().map(AsRef::as_ref)
    }

    fn resolve(
        &mut self,
        name: &str,
        specifications: &BTreeMap<&str, MessageSpecification>,
        nesting_left: u8,
    ) -> Result<Arc<Definition>, DefinitionError> {
        let full_name = full_name(name);
        if let Some(known) = self.by_name.get(full_name.as_str()) {
            return Ok(Arc::clone(known));
        }
        // A message that holds itself would recurse without end.
        let nesting_left = nesting_left.checked_sub(1).ok_or_else(|| DefinitionError::TooDeep(full_name.clone()))?;
        let unknown = || DefinitionError::Unknown { message: full_name.clone(), field_type: name.to_owned() };
        let specification = specifications.get(name).ok_or_else(unknown)?;
        let mut fields = Vec::new();
        for field in &specification.fields {
            let (kind, length) = match &field.ty {
                Type::Array { ty, size } => (ty.as_ref(), Some(length(size))),
                one @ (Type::BuiltIn(_) | Type::Complex(_)) => (one, None),
            };
            let kind = match kind {
                Type::BuiltIn(built_in) => {
                    plain(built_in).ok_or_else(|| DefinitionError::WideText(full_name.clone()))?
                }
                Type::Complex(nested) => {
                    let nested = name_of(nested, name);
                    if !specifications.contains_key(nested.as_str()) {
                        return Err(DefinitionError::Unknown { message: full_name, field_type: nested });
                    }
                    Kind::Message(self.resolve(&nested, specifications, nesting_left)?)
                }
                Type::Array { .. } => {
                    let reason = "an array of arrays".to_owned();
                    return Err(DefinitionError::Grammar { message: full_name, reason });
                }
            };
            let shape = match length {
                Some(length) => Shape::Many(kind, length),
                None => Shape::One(kind),
            };
            fields.push(Field { name: field.name.as_str().into(), shape });
        }
        let hash = hash::of(&full_name, &fields).into();
        let definition = Arc::new(Definition { name: full_name.as_str().into(), hash, fields: fields.into() });
        self.by_dds_type.insert(dds_type(&full_name).into(), Arc::clone(&definition));
        self.by_name.insert(full_name.into(), Arc::clone(&definition));
        Ok(definition)
    }
}

/// Definitions of the packages `std_msgs`, `geometry_msgs`, `nav_msgs`, `sensor_msgs`, `diagnostic_msgs`, `tf2_msgs`,
/// `trajectory_msgs`, `action_msgs`, `lifecycle_msgs`, `rcl_interfaces`, `rosgraph_msgs`, of `vision_msgs` those
/// of detectors in pictures, and what they are made of.
#[must_use]
pub fn built_in() -> &'static Definitions {
    static DEFINITIONS: LazyLock<Definitions> = LazyLock::new(|| Definitions::parse(BUILT_IN).unwrap_or_default());
    &DEFINITIONS
}

/// `nav_msgs/msg/Odometry` of `nav_msgs/Odometry`.
fn full_name(name: &str) -> String {
    match name.split_once('/') {
        Some((package, message)) if !message.contains('/') => format!("{package}/msg/{message}"),
        Some(_) | None => name.to_owned(),
    }
}

/// `nav_msgs::msg::dds_::Odometry_` of `nav_msgs/msg/Odometry`.
fn dds_type(full_name: &str) -> String {
    let (package, name) = full_name.rsplit_once('/').unwrap_or(("", full_name));
    format!("{}::dds_::{name}_", package.replace('/', "::"))
}

/// The name of `nested` as a field of the message `scope` has it.
fn name_of(nested: &ComplexType, scope: &str) -> String {
    match (nested, scope.split_once('/')) {
        (ComplexType::Absolute { package, name }, _) => format!("{}/{name}", package.trim_end_matches("/msg")),
        // `Header` alone has been that of std_msgs since ROS 1.
        (ComplexType::Relative { name }, _) if name == "Header" => "std_msgs/Header".to_owned(),
        (ComplexType::Relative { name }, Some((package, _))) => format!("{package}/{name}"),
        (ComplexType::Relative { name }, None) => name.clone(),
    }
}

const fn length(size: &ArraySize) -> Length {
    match size {
        ArraySize::Fixed(count) => Length::Exactly(*count),
        ArraySize::Bounded(count) => Length::AtMost(*count),
        ArraySize::Unbounded => Length::Any,
    }
}

const fn plain(built_in: &BuiltInType) -> Option<Kind> {
    Some(match built_in {
        BuiltInType::Bool => Kind::Bool,
        BuiltInType::Byte => Kind::Byte,
        BuiltInType::Char => Kind::Char,
        BuiltInType::Float32 => Kind::Float32,
        BuiltInType::Float64 => Kind::Float64,
        BuiltInType::Int8 => Kind::Int8,
        BuiltInType::Int16 => Kind::Int16,
        BuiltInType::Int32 => Kind::Int32,
        BuiltInType::Int64 => Kind::Int64,
        BuiltInType::UInt8 => Kind::Uint8,
        BuiltInType::UInt16 => Kind::Uint16,
        BuiltInType::UInt32 => Kind::Uint32,
        BuiltInType::UInt64 => Kind::Uint64,
        BuiltInType::String(longest) => Kind::Text(*longest),
        BuiltInType::WString(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes as the packages of ROS 2 Kilted give them.
    const HASHES: &str = include_str!("definition/hashes.txt");

    #[test]
    fn rg_24_definitions_that_are_built_in_have_the_hashes_of_ros_2() {
        let expected: BTreeMap<&str, &str> = HASHES.lines().filter_map(|line| line.split_once(' ')).collect();
        let found: BTreeMap<&str, &str> =
            built_in().iter().map(|definition| (definition.name(), definition.hash())).collect();
        // `vision_msgs` is no package of the core of ROS 2, whose hashes these are.
        let (others, core): (BTreeMap<_, _>, BTreeMap<_, _>) =
            found.into_iter().partition(|(name, _)| name.starts_with("vision_msgs/"));
        assert_eq!((core.len(), others.len()), (128, 7));
        assert_eq!(core, expected);
    }

    #[test]
    fn rg_24_a_definition_may_have_comments_defaults_constants_and_relative_names() {
        let text = "MSG: lab_msgs/Door\n# A door.\nHeader header\nHinge[<=2] hinges # at most two\nuint8 OPEN=1\n\
                    string<=8 name \"front\"\n===\nMSG: lab_msgs/Hinge\nfloat64 angle 0.5\n===\nMSG: std_msgs/Header\n\
                    builtin_interfaces/Time stamp\nstring frame_id\n===\nMSG: builtin_interfaces/Time\nint32 sec\n\
                    uint32 nanosec";
        let definitions = Definitions::parse(text).unwrap();
        let door = definitions.get("lab_msgs/msg/Door").unwrap();
        let names: Vec<&str> = door.fields.iter().map(|field| field.name.as_ref()).collect();
        assert_eq!(names, ["header", "hinges", "name"]);
        assert_eq!(door.fields[2].shape, Shape::One(Kind::Text(Some(8))));
        let header = definitions.get("std_msgs/msg/Header").unwrap();
        assert_eq!(header.hash(), built_in().get("std_msgs/msg/Header").unwrap().hash());
    }

    #[test]
    fn rg_24_a_definition_that_cannot_be_used_is_refused_by_name() {
        let refused = |text: &str| Definitions::parse(text).unwrap_err().to_string();
        assert_eq!(refused("MSG: a/B\nC c"), "a/msg/B has a field of type a/C, which has no definition");
        assert_eq!(refused("MSG: a/B\nwstring c"), "a/msg/B has a field of type wstring, which is not read");
        assert_eq!(refused("MSG: a/B\nB[] inner"), "a/msg/B is nested more than 16 deep");
        assert!(refused("MSG: a/B\nint32").starts_with("a/B: "), "{}", refused("MSG: a/B\nint32"));
    }
}
