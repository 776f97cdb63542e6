//! Values of a draft's fields, read from the texts that a person sees.

use robot::{FindField, FrameId, RobotId, SiteId};

/// Names in one field.
const NAMES_MAX: usize = 32;
/// The longest name, bytes.
const NAME_BYTES_MAX: usize = 256;
/// The longest place of a hardware stop, in characters.
const PLACE_CHARS_MAX: usize = 200;
/// The last domain whose ports lie below those that the system hands out itself.
const DOMAIN_MAX: u16 = 101;

/// The value in the form of TOML, or the reason why it is none of this field.
pub fn toml(field: FindField, text: &str) -> Result<String, String> {
    use FindField as F;
    let text = text.trim();
    match field {
        F::Robot => RobotId::new(text).map(|id| quoted(id.as_str())).map_err(|error| error.to_string()),
        F::Site => SiteId::new(text).map(|id| quoted(id.as_str())).map_err(|error| error.to_string()),
        F::Frame => frame(text),
        F::HardwareStop if text.chars().count() > PLACE_CHARS_MAX => {
            Err(format!("at most {PLACE_CHARS_MAX} characters"))
        }
        F::HardwareStop => Ok(quoted(text)),
        F::Domain => domain(text),
        F::Pose => pose(text),
        F::Namespace | F::Velocity | F::Joints | F::CommandTopic => name(text),
        F::StopServices | F::CancelActions | F::Forward => names(text),
        F::Margin => number(text, 0.0),
        F::Radius
        | F::LocalisationError
        | F::Speed
        | F::Rotation
        | F::Acceleration
        | F::GoalJump
        | F::Reaction
        | F::Braking
        | F::Standstill
        | F::StandstillRotation => number(text, f64::MIN_POSITIVE),
        F::Workspace | F::Envelope => {
            space(text).map(|axes| axes.map(|[low, high]| format!("[{low:?}, {high:?}]")).join("\n"))
        }
        F::StopBehaviour => behaviour(text),
        F::CarriesLoad => match text {
            "yes" => Ok("true".to_owned()),
            "no" => Ok("false".to_owned()),
            _ => Err("yes or no".to_owned()),
        },
    }
}

/// The text as a string of TOML.
pub fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

fn frame(text: &str) -> Result<String, String> {
    FrameId::new(text).map(|frame| quoted(frame.as_str())).map_err(|error| error.to_string())
}

fn domain(text: &str) -> Result<String, String> {
    let number: Option<u16> = text.parse().ok();
    number.filter(|domain| *domain <= DOMAIN_MAX).map(|domain| domain.to_string()).ok_or(format!("0 to {DOMAIN_MAX}"))
}

/// `odom TOPIC`, or `tf FRAME FRAME`.
fn pose(text: &str) -> Result<String, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["odom", topic] => Ok(format!("{{ odom = {} }}", name(topic)?)),
        ["tf", parent, child] => Ok(format!("{{ tf = [{}, {}] }}", frame(parent)?, frame(child)?)),
        _ => Err("`odom TOPIC`, or `tf FRAME FRAME`".to_owned()),
    }
}

fn name(text: &str) -> Result<String, String> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'/';
    if !text.is_empty() && text.len() <= NAME_BYTES_MAX && !text.contains("//") && text.bytes().all(is_letter) {
        Ok(quoted(text))
    } else {
        Err(format!("{text:?} is no name of ROS 2"))
    }
}

fn names(text: &str) -> Result<String, String> {
    let names: Vec<String> = text.split_whitespace().map(name).collect::<Result<_, _>>()?;
    if names.len() > NAMES_MAX { Err(format!("at most {NAMES_MAX}")) } else { Ok(format!("[{}]", names.join(", "))) }
}

fn number(text: &str, min: f64) -> Result<String, String> {
    let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= min);
    number.map(|number| format!("{number:?}")).ok_or_else(|| format!("{text:?} is no number above zero"))
}

/// Lowest and highest x, y and z.
fn space(text: &str) -> Result<[[f64; 2]; 3], String> {
    let numbers: Option<Vec<f64>> = text.split_whitespace().map(|number| number.parse().ok()).collect();
    let axes = numbers.and_then(|numbers| match numbers.as_slice() {
        &[x, to_x, y, to_y, z, to_z] => Some([[x, to_x], [y, to_y], [z, to_z]]),
        _ => None,
    });
    let is_box =
        |axes: &[[f64; 2]; 3]| axes.iter().all(|[low, high]| low.is_finite() && high.is_finite() && low < high);
    axes.filter(is_box).ok_or_else(|| "six numbers: lowest and highest x, y and z".to_owned())
}

fn behaviour(text: &str) -> Result<String, String> {
    match text {
        "hold" | "controlled_then_off" | "power_off" => Ok(quoted(text)),
        _ => Err("hold, controlled_then_off or power_off".to_owned()),
    }
}
