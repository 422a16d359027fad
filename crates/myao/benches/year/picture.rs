//! Draws figures as lines over the days of the year, several small charts in one picture.

use std::fmt::Write as _;

use super::figures::Figures;

const WIDTH: f64 = 900.0;
const CHART: (f64, f64) = (420.0, 190.0);
/// Room around the lines of a chart: left, top, right, bottom.
const ROOM: (f64, f64, f64, f64) = (64.0, 34.0, 14.0, 26.0);
const COLUMNS: usize = 2;
const HEAD: f64 = 44.0;
const TICKS: u32 = 4;
/// Where the picture stands on a dark page, it is dark too.
const STYLE: &str = "<style>.paper{fill:#fff}.ink{fill:#26323d}.faint{fill:#5d6b78}.grid{stroke:#d5dbe1;fill:none}\
     .a{stroke:#2f6fb4}.b{stroke:#c0562b}.c{stroke:#3c8a4e}.fa{fill:#2f6fb4}.fb{fill:#c0562b}.fc{fill:#3c8a4e}\
     .line{fill:none;stroke-width:1.8}\
     @media(prefers-color-scheme:dark){.paper{fill:#1b2026}.ink{fill:#e4e9ee}.faint{fill:#a3afbb}.grid{stroke:#39424c}\
     .a{stroke:#74aee8}.b{stroke:#ee9166}.c{stroke:#7cc98d}.fa{fill:#74aee8}.fb{fill:#ee9166}.fc{fill:#7cc98d}}</style>";
const COLOURS: [&str; 3] = ["a", "b", "c"];
const MEGABYTE: f64 = 1_048_576.0;

/// A line of a chart: its name, and what it shows of figures.
type Line = (&'static str, fn(&Figures) -> f64);

struct Chart {
    title: &'static str,
    lines: &'static [Line],
}

const CHARTS: [Chart; 6] = [
    Chart { title: "resident memory, MB", lines: &[("RSS", |one| number(one.rss) / MEGABYTE)] },
    Chart {
        title: "database, MB",
        lines: &[
            ("data", |one| number(one.database_bytes) / MEGABYTE),
            ("write-ahead log", |one| number(one.log_bytes) / MEGABYTE),
        ],
    },
    Chart {
        title: "rows",
        lines: &[("chapters", |one| number(one.chapters)), ("journal", |one| number(one.journal))],
    },
    Chart {
        title: "question to answer, ms",
        lines: &[
            ("half within", |one| number(one.half_within)),
            ("99 % within", |one| number(one.most_within)),
        ],
    },
    Chart {
        title: "tokens, millions",
        lines: &[
            ("read", |one| number(one.tokens_in) / 1e6),
            ("written", |one| number(one.tokens_out) / 1e6),
        ],
    },
    Chart {
        title: "open in the process",
        lines: &[("sockets", |one| number(one.sockets)), ("files", |one| number(one.files))],
    },
];

fn number(count: u64) -> f64 {
    f64::from(u32::try_from(count / 1024).unwrap_or(u32::MAX)) * 1024.0
        + f64::from(u32::try_from(count % 1024).unwrap_or_default())
}

/// A picture of a year.
pub(crate) fn picture(title: &str, all: &[Figures]) -> String {
    let height = HEAD + CHART.1 * number_of(CHARTS.len().div_ceil(COLUMNS)) + 10.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         font-family=\"sans-serif\">\n<title>{title}</title>\n{STYLE}\n<rect class=\"paper\" width=\"{WIDTH}\" \
         height=\"{height}\"/>\n"
    );
    text(&mut svg, (24.0, 28.0), "ink", "start", (16, title));
    for (at, chart) in CHARTS.iter().enumerate() {
        let left = 16.0 + number_of(at % COLUMNS) * (CHART.0 + 20.0);
        let top = HEAD + number_of(at / COLUMNS) * CHART.1;
        draw(&mut svg, chart, (left, top), all);
    }
    svg.push_str("</svg>\n");
    svg
}

fn number_of(count: usize) -> f64 {
    number(u64::try_from(count).unwrap_or_default())
}

fn draw(svg: &mut String, chart: &Chart, (left, top): (f64, f64), all: &[Figures]) {
    let values = |line: &Line| all.iter().map(line.1).collect::<Vec<f64>>();
    let highest = chart.lines.iter().flat_map(values).fold(0.0, f64::max);
    let step = tick(highest / f64::from(TICKS));
    let highest = (highest / step).ceil().max(1.0) * step;
    let last_day = all.last().map_or(1.0, |one| f64::from(one.day)).max(1.0);
    let (x0, y0) = (left + ROOM.0, top + CHART.1 - ROOM.3);
    let (width, height) = (CHART.0 - ROOM.0 - ROOM.2, CHART.1 - ROOM.1 - ROOM.3);
    let x = |day: f64| x0 + width * day / last_day;
    let y = |value: f64| y0 - height * value / highest;
    text(svg, (x0, top + 16.0), "ink", "start", (13, chart.title));
    let mut value = 0.0;
    while value <= highest + step / 2.0 {
        let at = y(value);
        writeln!(svg, "<path class=\"grid\" d=\"M{x0:.1} {at:.1}h{width:.1}\"/>").expect("a text");
        text(svg, (x0 - 6.0, at + 4.0), "faint", "end", (11, &short(value)));
        value += step;
    }
    for quarter in 0..=4_u32 {
        let day = last_day * f64::from(quarter) / 4.0;
        let anchor = if quarter == 4 { "end" } else { "middle" };
        text(svg, (x(day), y0 + 16.0), "faint", anchor, (11, &format!("{day:.0}")));
    }
    for (line, colour) in chart.lines.iter().zip(COLOURS) {
        let mut path = String::new();
        for (nth, one) in all.iter().enumerate() {
            let begin = if nth == 0 { 'M' } else { 'L' };
            write!(path, "{begin}{:.1} {:.1}", x(f64::from(one.day)), y((line.1)(one))).expect("a text");
        }
        writeln!(svg, "<path class=\"line {colour}\" d=\"{path}\"/>").expect("a text");
    }
    let mut right = left + CHART.0 - ROOM.2;
    for (line, colour) in chart.lines.iter().zip(COLOURS).rev() {
        text(svg, (right, top + 16.0), &format!("f{colour}"), "end", (11, line.0));
        right -= 14.0 + 6.2 * number_of(line.0.len());
    }
}

/// A round number that is not smaller.
fn tick(least: f64) -> f64 {
    let power = 10.0_f64.powf(least.max(1e-6).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0];
    steps.into_iter().map(|step| step * power).find(|step| *step >= least).unwrap_or(10.0 * power)
}

fn short(value: f64) -> String {
    let thousands = value / 1000.0;
    if value >= 10_000.0 {
        format!("{thousands:.0}k")
    } else if value.fract().abs() < 1e-9 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}").trim_end_matches('0').to_owned()
    }
}

fn text(svg: &mut String, (x, y): (f64, f64), class: &str, anchor: &str, (size, words): (u32, &str)) {
    writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{words}</text>"
    )
    .expect("a text");
}
