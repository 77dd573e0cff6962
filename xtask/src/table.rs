//! Numbers in a row: medians, means, percentiles, and columns that line up.

/// A value that so many percent of the values do not exceed; zero if there are none.
pub(crate) fn percentile(values: &[f64], percent: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    sorted.get(last * percent / 100).copied().unwrap_or(0.0)
}

/// The middle value.
pub(crate) fn median(values: &[f64]) -> f64 {
    percentile(values, 50)
}

/// The mean; zero if there are no values.
pub(crate) fn mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.iter().sum::<f64>() / values.len() as f64
}

/// Rows as text, the first column to the left and all others to the right.
pub(crate) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate();
        let line: Vec<String> = cells
            .map(|(column, (cell, width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            })
            .collect();
        text += line.join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_columns() {
        let values = [4.0, 1.0, 3.0, 2.0, 10.0];
        assert_eq!((median(&values), mean(&values)), (3.0, 4.0));
        assert_eq!(
            (percentile(&values, 0), percentile(&values, 100)),
            (1.0, 10.0)
        );
        assert_eq!((median(&[]), mean(&[])), (0.0, 0.0));
        let rows = [
            vec!["a".to_owned(), "1".to_owned()],
            vec!["bc".to_owned(), "22".to_owned()],
        ];
        assert_eq!(aligned(&rows), "a    1\nbc  22\n");
    }
}
