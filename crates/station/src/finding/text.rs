//! Values of a draft's fields, read from the texts that a person sees.

use robot::{CameraId, FindField, FrameId, JOINTS_MAX, JointName, RobotId, SiteId};

/// Names in one field.
const NAMES_MAX: usize = 32;
/// Cameras in one field.
const CAMERAS_MAX: usize = 8;
/// Stands for a number that is not known.
const UNKNOWN: &str = "?";
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
        F::Namespace
        | F::Velocity
        | F::Joints
        | F::CommandTopic
        | F::Mux
        | F::Lock
        | F::Navigate
        | F::Trajectory
        | F::Map => name(text),
        F::JointLimits => joints(text),
        F::Cameras => cameras(text).map(|cameras| topics(&cameras)),
        F::StopServices | F::CancelActions | F::Forward => names(text),
        // A margin may be zero; the others must be above it: braking with 0 m/s² never ends.
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
    // Escaped by the library: a quote in the text of a person or of a robot must not end the string.
    toml_edit::Value::from(text).to_string()
}

fn frame(text: &str) -> Result<String, String> {
    FrameId::new(text).map(|frame| quoted(frame.as_str())).map_err(|error| error.to_string())
}

fn domain(text: &str) -> Result<String, String> {
    let number: Option<u16> = text.parse().ok();
    number.filter(|domain| *domain <= DOMAIN_MAX).map(|domain| domain.to_string()).ok_or(format!("0 to {DOMAIN_MAX}"))
}

/// `odom TOPIC`, or `tf FRAME FRAME`, with the topic of the transforms behind it where that is not `/tf`.
fn pose(text: &str) -> Result<String, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["odom", topic] => Ok(format!("{{ odom = {} }}", name(topic)?)),
        ["tf", parent, child] => Ok(format!("{{ tf = [{}, {}] }}", frame(parent)?, frame(child)?)),
        ["tf", parent, child, topic] => {
            let (parent, child, topic) = (frame(parent)?, frame(child)?, name(topic)?);
            Ok(format!("{{ tf = {{ parent = {parent}, child = {child}, topic = {topic} }} }}"))
        }
        _ => Err("`odom TOPIC`, or `tf FRAME FRAME [TOPIC]`".to_owned()),
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

/// A camera as a field names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CameraField {
    /// Its name.
    pub id: CameraId,
    /// Encoding of its pictures in the form of TOML.
    pub encoding: String,
    /// Its topic in the form of TOML.
    pub topic: String,
}

/// `ID compressed_image TOPIC` or `ID image TOPIC` of each, with `;` between them.
pub fn cameras(text: &str) -> Result<Vec<CameraField>, String> {
    let cameras: Vec<CameraField> = text.split(';').map(camera).collect::<Result<_, _>>()?;
    if cameras.len() > CAMERAS_MAX {
        return Err(format!("at most {CAMERAS_MAX}"));
    }
    // Their names become keys of one table, which TOML allows once each.
    match cameras.iter().enumerate().find(|(at, camera)| cameras[..*at].iter().any(|before| before.id == camera.id)) {
        Some((_, twice)) => Err(format!("two cameras are named {}", twice.id)),
        None => Ok(cameras),
    }
}

fn camera(text: &str) -> Result<CameraField, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [id, encoding @ ("compressed_image" | "image"), topic] = words.as_slice() else {
        return Err("`ID compressed_image TOPIC`, or `ID image TOPIC`, with ; between several".to_owned());
    };
    let id = CameraId::new(*id).map_err(|error| error.to_string())?;
    Ok(CameraField { id, encoding: quoted(encoding), topic: name(topic)? })
}

/// The topics of cameras by their names, as a wiring has them.
fn topics(cameras: &[CameraField]) -> String {
    let topics: Vec<String> = cameras.iter().map(|camera| format!("{} = {}", camera.id, camera.topic)).collect();
    format!("{{ {} }}", topics.join(", "))
}

/// The joints of an arm, as a manifest has them.
fn joints(text: &str) -> Result<String, String> {
    let joints: Vec<String> = text.split(';').map(joint).collect::<Result<_, _>>()?;
    if joints.len() > JOINTS_MAX {
        return Err(format!("at most {JOINTS_MAX}"));
    }
    Ok(format!("[\n{}]", joints.concat()))
}

fn joint(text: &str) -> Result<String, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let form = || "`NAME rad LOW HIGH SPEED ACCELERATION REACH EFFORT`, with m for one that slides".to_owned();
    let [name, unit @ ("rad" | "m"), low, high, speed, acceleration, reach, effort @ ..] = words.as_slice() else {
        return Err(form());
    };
    if effort.len() > 1 {
        return Err(form());
    }
    let name = JointName::new(*name).map_err(|error| error.to_string())?;
    let number = |what: &str, text: &str| {
        if text == UNKNOWN {
            return Err(format!("{name}: its {what} is missing"));
        }
        let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.is_finite());
        // Written with `{:?}`, which keeps the decimal point: without it TOML reads an integer.
        number.map(|number| format!("{number:?}")).ok_or_else(|| format!("{name}: {text:?} is no {what}"))
    };
    let (low, high) = (number("lowest position", low)?, number("highest position", high)?);
    let (speed, acceleration) = (number("speed", speed)?, number("acceleration", acceleration)?);
    let reach = number("reach", reach)?;
    let (per_s, torque) = if *unit == "rad" { ("rad", "effort_nm") } else { ("m", "effort_n") };
    let effort = effort.first().map(|effort| number("effort", effort)).transpose()?;
    let effort = effort.map_or_else(String::new, |effort| format!(", {torque} = {effort}"));
    Ok(format!(
        "  {{ name = {}, position_{unit} = [{low}, {high}], velocity_{per_s}ps = {speed}, acceleration_{per_s}ps2 = {acceleration}, reach_m = {reach}{effort} }},\n",
        quoted(name.as_str())
    ))
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
