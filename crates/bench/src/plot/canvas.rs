//! A frame with axes to draw in.
//!
//! # Invariants
//! - The text is well-formed whatever the labels say.

use report::markup::escape;
use std::fmt::Write;

/// Colours that are told apart in print and by most eyes (after Okabe and Ito).
const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
];

/// The colour of the engine or class with a number.
pub(super) fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// Where the frame begins and ends, in pixels.
const LEFT: f64 = 70.0;
const TOP: f64 = 30.0;
const SIDE: f64 = 420.0;
/// Room to the right, for the legend, and below.
const RIGHT: f64 = 170.0;
const BELOW: f64 = 60.0;

/// A square frame; points in it have coordinates from 0 to 1, from its lower left corner.
pub(super) struct Canvas {
    text: String,
    legend: usize,
}

impl Canvas {
    /// An empty frame with a title and names for its axes.
    pub(super) fn new(title: &str, across: &str, up: &str) -> Self {
        let (width, height) = (LEFT + SIDE + RIGHT, TOP + SIDE + BELOW);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" \
             stroke=\"#444\"/>\n",
            escape(title)
        );
        let middle = LEFT + SIDE / 2.0;
        label(&mut text, (middle, TOP - 10.0), "middle", title);
        label(&mut text, (middle, TOP + SIDE + 42.0), "middle", across);
        let at = TOP + SIDE / 2.0;
        let _ = writeln!(
            text,
            "<text x=\"18\" y=\"{at}\" text-anchor=\"middle\" transform=\"rotate(-90 18 {at})\">{}</text>",
            escape(up)
        );
        Canvas { text, legend: 0 }
    }

    /// A mark on the lower axis, with a line through the frame.
    pub(super) fn mark_across(&mut self, x: f64, name: &str) {
        self.line((x, 0.0), (x, 1.0), "#ddd");
        let (left, _) = place((x, 0.0));
        label(&mut self.text, (left, TOP + SIDE + 18.0), "middle", name);
    }

    /// A mark on the left axis, with a line through the frame.
    pub(super) fn mark_up(&mut self, y: f64, name: &str) {
        self.line((0.0, y), (1.0, y), "#ddd");
        let (_, top) = place((0.0, y));
        label(&mut self.text, (LEFT - 8.0, top + 4.0), "end", name);
    }

    /// A straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str) {
        let ((x1, y1), (x2, y2)) = (place(from), place(to));
        let _ = writeln!(
            self.text,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
        );
    }

    /// A line through points, each with a dot.
    pub(super) fn curve(&mut self, points: &[(f64, f64)], colour: &str) {
        let mut list = String::new();
        for &point in points {
            let (x, y) = place(point);
            let _ = write!(list, "{x:.1},{y:.1} ");
        }
        let _ = writeln!(
            self.text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
            list.trim_end()
        );
        for &point in points {
            self.dot(point, 2.0, colour, "");
        }
    }

    /// A dot; its name is shown to those who point at it.
    pub(super) fn dot(&mut self, at: (f64, f64), radius: f64, colour: &str, name: &str) {
        let (x, y) = place(at);
        let _ = write!(
            self.text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\" fill-opacity=\"0.7\""
        );
        let _ = if name.is_empty() {
            writeln!(self.text, "/>")
        } else {
            writeln!(self.text, "><title>{}</title></circle>", escape(name))
        };
    }

    /// A line of the legend.
    pub(super) fn legend(&mut self, colour: &str, name: &str) {
        let y = TOP + 12.0 + 18.0 * self.legend as f64;
        self.legend += 1;
        let x = LEFT + SIDE + 16.0;
        let _ = writeln!(
            self.text,
            "<rect x=\"{x}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>",
            y - 9.0
        );
        label(&mut self.text, (x + 16.0, y), "start", name);
    }

    /// The document.
    pub(super) fn finish(self) -> String {
        self.text + "</svg>\n"
    }
}

/// Pixels of a point.
fn place((x, y): (f64, f64)) -> (f64, f64) {
    (LEFT + SIDE * x, TOP + SIDE * (1.0 - y))
}

fn label(text: &mut String, (x, y): (f64, f64), anchor: &str, words: &str) {
    let words = escape(words);
    let _ = writeln!(
        text,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
    );
}
