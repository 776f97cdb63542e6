//! The table on the screen and the same figures in `target/bench/report.json`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::measure::{Compared, Latencies};

/// One line of the table.
pub struct Row {
    /// The goal in `performance.md`, or the line of the safety engine's table.
    pub id: &'static str,
    /// The thing measured, as the table names it.
    pub what: String,
    /// Name of the floor, ratios to it (least, median, greatest), its latencies; none where there is only a bound.
    pub against: Option<(&'static str, [f64; 3], Latencies)>,
    /// Our latencies.
    pub latencies: Latencies,
    /// The goal, human-readable.
    pub goal: &'static str,
}

impl Row {
    /// A row of two arms.
    pub fn compared(
        id: &'static str,
        what: String,
        floor: &'static str,
        compared: Compared,
        goal: &'static str,
    ) -> Self {
        let ratios = [compared.ratio_min, compared.ratio, compared.ratio_max];
        Self { id, what, against: Some((floor, ratios, compared.a)), latencies: compared.b, goal }
    }

    fn microseconds(&self, quantile: f64) -> f64 {
        self.latencies.value_at_quantile(quantile) as f64 / 1e3
    }

    fn json(&self) -> Value {
        let against = self.against.as_ref().map(|(floor, [min, median, max], latencies)| {
            let p50_us = latencies.value_at_quantile(0.5) as f64 / 1e3;
            let ratios = json!({ "min": min, "median": median, "max": max });
            json!({ "floor": floor, "floor_p50_us": p50_us, "floor_over_ours": ratios })
        });
        json!({
            "id": self.id, "what": self.what, "against": against, "goal": self.goal, "runs": self.latencies.len(),
            "p50_us": self.microseconds(0.5), "p99_us": self.microseconds(0.99), "p999_us": self.microseconds(0.999),
        })
    }
}

/// Prints the table and puts the figures of `area` into the file, beside those of other areas.
pub fn write(area: &str, rows: &[Row]) -> std::io::Result<()> {
    println!(
        "{:<5} {:<52} {:>10} {:>10} {:>10}  against, floor/ours: min median max  goal",
        "", "", "p50 µs", "p99 µs", "p99.9 µs"
    );
    for row in rows {
        let against = row.against.as_ref().map_or(String::from("–"), |(floor, [min, median, max], _)| {
            format!("{floor}: {min:.2} {median:.2} {max:.2}")
        });
        let [p50, p99, p999] = [0.5, 0.99, 0.999].map(|quantile| row.microseconds(quantile));
        println!("{:<5} {:<52} {p50:>10.1} {p99:>10.1} {p999:>10.1}  {against}  {}", row.id, row.what, row.goal);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/bench");
    fs::create_dir_all(&folder)?;
    let path = folder.join("report.json");
    let written = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut report = written.filter(Value::is_object).unwrap_or_else(|| json!({}));
    report[area] = rows.iter().map(Row::json).collect();
    fs::write(path, serde_json::to_vec_pretty(&report)?)
}
