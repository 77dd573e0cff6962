//! Shortening of text.

/// At most `width` characters; what is cut ends in `…`, not inside a word if that can be.
pub(crate) fn clip(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(1);
    let start: String = text.chars().take(room).collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let next = text.chars().nth(room);
    let mut kept = start.as_str();
    if next.is_some_and(is_word) {
        kept = start.trim_end_matches(is_word);
    }
    // A single long word is cut after all.
    if kept.trim().is_empty() {
        kept = &start;
    }
    format!("{}…", kept.trim_end())
}

/// At most the last `width` characters, after `…` if something is cut.
pub(crate) fn clip_start(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return text.to_owned();
    }
    let end = text.chars().skip(count - width.saturating_sub(1));
    std::iter::once('…').chain(end).collect()
}

/// Items separated by commas, in lines of at most `width` characters.
pub(crate) fn wrap(items: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let comma = if index + 1 < items.len() { "," } else { "" };
        let item = format!("{}{comma}", clip(item, width.saturating_sub(comma.len())));
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + item.chars().count() <= width => {
                line.push(' ');
                line.push_str(&item);
            }
            Some(_) | None => lines.push(item),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_not_cut_in_two() {
        let cases = [
            ("short", 10, "short"),
            ("total = total + 1", 12, "total =…"),
            ("total = total + 1", 16, "total = total +…"),
            ("identifier", 5, "iden…"),
            ("äöü äöü", 4, "äöü…"),
        ];
        for (text, width, expected) in cases {
            assert_eq!(clip(text, width), expected);
        }
    }

    #[test]
    fn the_end_of_a_path_stays() {
        assert_eq!(clip_start("dir/a.c:3", 20), "dir/a.c:3");
        assert_eq!(clip_start("dir/a.c:3", 6), "…a.c:3");
        assert_eq!(clip_start("äöü", 2), "…ü");
    }

    #[test]
    fn items_stay_whole() {
        let items = ["a = 1", "b = 22", "c = 333"].map(str::to_owned);
        assert_eq!(wrap(&items, 100), ["a = 1, b = 22, c = 333"]);
        assert_eq!(wrap(&items, 14), ["a = 1, b = 22,", "c = 333"]);
        assert_eq!(wrap(&items, 3), ["a…,", "b…,", "c…"]);
        assert!(wrap(&[], 10).is_empty());
    }
}
