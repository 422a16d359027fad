//! Writes Prometheus' text format (exposition format 0.0.4).

use myao_store::{TIME_BOUNDS, TimeSpread};

use super::families::{FAMILIES, FamilyKind};

/// Milliseconds in a second.
const MILLIS: f64 = 1000.0;

/// Text that grows family by family. What belongs to one family is written together, as the format wants it.
#[derive(Debug, Default)]
pub(super) struct Exposition {
    text: String,
    /// The family that was written last.
    last: &'static str,
}

impl Exposition {
    /// The text.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// A number without labels.
    pub(super) fn one(&mut self, name: &'static str, value: f64) {
        self.labelled(name, &[], value);
    }

    /// A count without labels.
    pub(super) fn count(&mut self, name: &'static str, count: u64) {
        self.one(name, as_number(count));
    }

    /// Counts that one label tells apart.
    pub(super) fn counts(
        &mut self,
        name: &'static str,
        label: &str,
        counts: impl IntoIterator<Item = (&'static str, u64)>,
    ) {
        for (value, count) in counts {
            self.labelled(name, &[(label, value)], as_number(count));
        }
    }

    /// A number with labels.
    pub(super) fn labelled(&mut self, name: &'static str, labels: &[(&str, &str)], value: f64) {
        self.begin(name);
        self.sample(name, "", labels, value);
    }

    /// A histogram.
    pub(super) fn times(&mut self, name: &'static str, labels: &[(&str, &str)], times: &TimeSpread) {
        self.begin(name);
        let bounds = TIME_BOUNDS.iter().map(|bound| (as_number(*bound) / MILLIS).to_string());
        let mut so_far = 0;
        for (bound, count) in bounds.chain(["+Inf".to_owned()]).zip(times.counts) {
            so_far += count;
            let with_bound = [labels, &[("le", bound.as_str())]].concat();
            self.sample(name, "_bucket", &with_bound, as_number(so_far));
        }
        self.sample(name, "_sum", labels, as_number(times.millis) / MILLIS);
        self.sample(name, "_count", labels, as_number(so_far));
    }

    /// Tells what a family is, before its first number.
    fn begin(&mut self, name: &'static str) {
        if self.last == name {
            return;
        }
        self.last = name;
        let Some(family) = FAMILIES.iter().find(|family| family.name == name) else {
            tracing::error!(name, "a number of /metrics is in no list");
            return;
        };
        let kind = match family.kind {
            FamilyKind::Gauge => "gauge",
            FamilyKind::Counter => "counter",
            FamilyKind::Histogram => "histogram",
        };
        self.push_line(&format!("# HELP {name} {}", family.help));
        self.push_line(&format!("# TYPE {name} {kind}"));
    }

    fn sample(&mut self, name: &str, suffix: &str, labels: &[(&str, &str)], value: f64) {
        let pairs: Vec<String> =
            labels.iter().map(|(label, value)| format!("{label}=\"{}\"", escape_label(value))).collect();
        let labels = if pairs.is_empty() { String::new() } else { format!("{{{}}}", pairs.join(",")) };
        self.push_line(&format!("{name}{suffix}{labels} {value}"));
    }

    fn push_line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

fn escape_label(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// A count as Prometheus keeps numbers.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(super) const fn as_number(count: u64) -> f64 {
    count as f64
}
