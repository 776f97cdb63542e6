//! Bounds of JSON that comes from a robot, looked at before anything is decoded.

/// The longest message that is read, bytes.
pub const BYTES_MAX: usize = 1 << 20;
/// Elements of a message: values of lists and of maps.
pub const ELEMENTS_MAX: usize = 10_000;
/// Lists and maps within one another.
const NESTING_MAX: usize = 16;

/// Counts without decoding. What stands in quotes opens nothing.
pub fn is_bounded(bytes: &[u8]) -> bool {
    let (mut nesting, mut elements, mut quoted, mut escaped) = (0_usize, 0_usize, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => nesting += 1,
            // Text that closes more than it opens is refused by the decoder.
            b']' | b'}' => nesting = nesting.saturating_sub(1),
            b',' => elements += 1,
            _ => {}
        }
        if nesting > NESTING_MAX || elements >= ELEMENTS_MAX {
            return false;
        }
    }
    bytes.len() <= BYTES_MAX
}
