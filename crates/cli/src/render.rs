//! Diagnostics as text, with rustc's look.

use annotate_snippets::renderer::{DecorStyle, Renderer};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Snippet};
use base::place::{Places, SourceExcerpt};
use base::{Diagnostic, Diagnostics, Severity, Span};
use input::Failure;

/// What comes before a line: its number and a bar.
const MARGIN: usize = 8;

/// Renders diagnostics as text.
pub(crate) struct Render {
    renderer: Renderer,
    /// Lines longer than this are shown in part.
    long_line: usize,
}

impl Render {
    /// With colours or without, for lines of that many characters.
    pub(crate) fn new(color: bool, width: usize) -> Self {
        let renderer = if color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        Render {
            renderer: renderer
                .decor_style(DecorStyle::Ascii)
                .term_width(width.max(240)),
            long_line: width.saturating_sub(MARGIN),
        }
    }

    /// A failure, all of it.
    pub(crate) fn failure(&self, failure: &Failure) -> String {
        match failure {
            Failure::Usage {
                message,
                note: facts,
                help,
            } => {
                let note = |text: &String| Message {
                    text: text.clone(),
                    ..Message::default()
                };
                let message = Message {
                    notes: facts.iter().map(note).collect(),
                    help: help.iter().cloned().collect(),
                    ..note(message)
                };
                self.message(Level::ERROR, message)
            }
            Failure::Source {
                sources,
                diagnostics,
            } => self.diagnostics(&Places::new(sources), diagnostics, true),
        }
    }

    /// All diagnostics, and how many there were if there were errors.
    pub(crate) fn diagnostics(
        &self,
        places: &Places<'_>,
        diagnostics: &Diagnostics,
        warnings: bool,
    ) -> String {
        let shown = |it: &&Diagnostic| warnings || it.severity == Severity::Error;
        let shown = diagnostics.iter().filter(shown);
        let mut text: String = shown.map(|it| self.diagnostic(places, it)).collect();
        if diagnostics.error_count() > 1 {
            let count = format!("{} errors", diagnostics.error_count());
            let title = Group::with_title(Level::ERROR.primary_title(&count));
            text.push_str(&self.renderer.render(&[title]));
            text.push('\n');
        }
        text
    }

    /// One diagnostic.
    fn diagnostic(&self, places: &Places<'_>, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let at = |text: &str, span: Span| Message {
            text: text.to_owned(),
            place: places.of(span),
            ..Message::default()
        };
        let notes = diagnostic.notes.iter();
        let message = Message {
            label: diagnostic.label.clone(),
            notes: notes.map(|(note, span)| at(note, *span)).collect(),
            help: diagnostic.help.iter().cloned().collect(),
            ..at(&diagnostic.message, diagnostic.span)
        };
        self.message(level, message)
    }

    fn render(&self, groups: &[Group<'_>]) -> String {
        let rendered = self.renderer.render(groups);
        let lines = rendered.lines().filter(|line| !is_origin_of_nothing(line));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn excerpt(&self, place: Option<SourceExcerpt>) -> Option<Excerpt> {
        place.map(|place| Excerpt::new(place, self.long_line))
    }

    /// A message at a place, at a level, with all that is to be said about it.
    pub(crate) fn message(&self, level: Level<'_>, message: Message) -> String {
        let main = self.excerpt(message.place);
        let mut group = Group::with_title(level.primary_title(&message.text));
        if let Some(excerpt) = &main {
            group = excerpt.add_to(group, message.label.as_deref());
        }
        let notes = message.notes.into_iter();
        let notes: Vec<(String, Option<Excerpt>, Option<String>)> = notes
            .map(|note| (note.text, self.excerpt(note.place), note.label))
            .collect();
        let bare = |excerpt: &Option<Excerpt>| excerpt.is_none();
        for (text, ..) in notes.iter().filter(|(_, excerpt, _)| bare(excerpt)) {
            group = group.element(Level::NOTE.message(text.as_str()));
        }
        for help in &message.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let mut groups = vec![group];
        for (text, excerpt, label) in &notes {
            if let Some(excerpt) = excerpt {
                let group = Group::with_title(Level::NOTE.secondary_title(text.as_str()));
                groups.push(excerpt.add_to(group, label.as_deref()));
            }
        }
        format!("{}\n", self.render(&groups))
    }
}

/// Something to be said about a place.
#[derive(Default)]
pub(crate) struct Message {
    pub(crate) text: String,
    pub(crate) place: Option<SourceExcerpt>,
    /// What is beside the underlined part.
    pub(crate) label: Option<String>,
    /// Further facts; those without a place are below the message itself.
    pub(crate) notes: Vec<Message>,
    /// What could be done.
    pub(crate) help: Vec<String>,
}

/// The part of a line that is shown.
struct Excerpt {
    place: SourceExcerpt,
    text: String,
    range: std::ops::Range<usize>,
}

impl Excerpt {
    fn new(place: SourceExcerpt, long_line: usize) -> Self {
        let (text, range) = window(&place.text, place.range.clone(), long_line);
        Excerpt { place, text, range }
    }

    fn add_to<'a>(&'a self, group: Group<'a>, label: Option<&'a str>) -> Group<'a> {
        let position = &self.place.position;
        let mut annotation = AnnotationKind::Primary.span(self.range.clone());
        if let Some(label) = label {
            annotation = annotation.label(label);
        }
        let snippet = Snippet::source(self.text.as_str())
            .line_start(position.line as usize)
            .annotation(annotation);
        if self.text == self.place.text {
            return group.element(snippet.path(&*position.file));
        }
        // The column in the part that is shown is not the one in the file.
        let origin = Origin::path(&*position.file)
            .line(position.line as usize)
            .char_column(position.column as usize);
        group.element(origin).element(snippet)
    }
}

/// Whether a line announces another file and names none, as it is above a part of a line.
fn is_origin_of_nothing(line: &str) -> bool {
    let mut parts = line.split('\x1b');
    let plain = parts.next().into_iter().map(str::trim);
    // What follows an escape is a style up to its `m`.
    let styled = parts.map(|part| part.split_once('m').map_or("", |(_, text)| text.trim()));
    plain.chain(styled).collect::<String>() == ":::"
}

/// A long line cut down to the surroundings of a range.
fn window(
    text: &str,
    range: std::ops::Range<usize>,
    long_line: usize,
) -> (String, std::ops::Range<usize>) {
    if text.len() <= long_line {
        return (text.to_owned(), range);
    }
    let from = floor(text, range.start.saturating_sub(long_line / 4));
    let to = floor(text, (from + long_line).min(text.len()));
    let (dots, more) = (
        if from > 0 { "..." } else { "" },
        if to < text.len() { "..." } else { "" },
    );
    let shift = |at: usize| at.clamp(from, to) - from + dots.len();
    let range = shift(range.start)..shift(range.end);
    (format!("{dots}{}{more}", &text[from..to]), range)
}

/// The last character boundary at or before a position.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::SourceMap;

    fn render(text: &[u8], lo: usize, hi: usize) -> String {
        let mut sources = SourceMap::new();
        let id = sources.add("no-such-dir/a.c", text.to_vec()).unwrap();
        let span = sources.file(id).span(lo, hi);
        let diagnostic = Diagnostic::error(span, "no").label("here").help("do");
        let shown = Render::new(false, 100).diagnostic(&Places::new(&sources), &diagnostic);
        shown.trim_end().to_owned()
    }

    #[test]
    fn looks_like_a_compiler() {
        let expected = "\
error: no
 --> no-such-dir/a.c:2:3
  |
2 | x = y;
  |   ^ here
  |
  = help: do";
        assert_eq!(render(b"\nx = y;\n", 3, 4), expected);
    }

    #[test]
    fn long_lines_keep_their_columns() {
        let text = [&b"x".repeat(500)[..], b"!"].concat();
        let shown = render(&text, 500, 501);
        assert!(shown.contains("a.c:1:501"), "{shown}");
        assert!(shown.contains("1 | ...xxx"), "{shown}");
        assert!(!shown.contains(":::"), "{shown}");
        assert!(is_origin_of_nothing("\x1b[1m\x1b[94m ::: \x1b[0m"));
    }

    #[test]
    fn survives_any_text() {
        let long = [b"int x = ".repeat(100_000), b"!".to_vec()].concat();
        let end = long.len();
        assert!(render(&long, end - 1, end).len() < 1000);
        assert!(render(&long, 0, end).len() < 1000);
        for text in [
            &b"\t\t\xff\xfe\0\t"[..],
            b"",
            "\u{202e}\u{1F600}é".as_bytes(),
        ] {
            for lo in 0..=text.len() {
                for hi in lo..=text.len() {
                    render(text, lo, hi);
                }
            }
        }
    }
}
