//! Checks of an input before its operation is called.

use serde_json::{Value, json};

use super::Row;
use crate::error::{OpError, RuntimeCode};

/// Fields that every operation accepts.
pub const COMMON_FIELDS: &[&str] = &["agent", "request_id"];

impl Row {
    /// Checks the size and the fields of `input`, apart from the fields that every operation accepts.
    pub fn check_input(&self, input: &Value) -> Result<(), OpError> {
        self.check_size(input)?;
        let mut input = input.clone();
        if let Some(fields) = input.as_object_mut() {
            COMMON_FIELDS.iter().for_each(|field| {
                fields.remove(*field);
            });
        }
        (self.check)(input)
    }

    /// Checks that an input has no more bytes than its operation takes, whatever host it came through.
    pub fn check_size(&self, input: &Value) -> Result<(), OpError> {
        let (name, bytes_max) = (self.name, self.input_bytes_max);
        let mut left = Left(bytes_max);
        serde_json::to_writer(&mut left, input).map_err(|_| {
            let message = format!("The input of {name} has at most {} KiB; nothing was done.", bytes_max / 1024);
            OpError::bad_input(RuntimeCode::TooLarge, "", message).with(json!({ "path": "", "bytes_max": bytes_max }))
        })
    }
}

/// Room for so many bytes, which are counted and not kept.
struct Left(usize);

impl std::io::Write for Left {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::FileTooLarge)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
