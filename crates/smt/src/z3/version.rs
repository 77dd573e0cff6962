//! Which Z3 the process has loaded.
//!
//! The bindings number Z3's enumerations as version 5 does. An older library also loads and crashes
//! later, so the version is checked before anything else.

use z3_sys::Z3_get_version;

/// The oldest version that the bindings fit.
const OLDEST: (u32, u32) = (5, 3);

/// The version of the library in use, such as "5.4.0"; an error if the bindings do not fit it.
pub fn version() -> Result<String, String> {
    let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
    // SAFETY: it writes four numbers and needs no context.
    unsafe { Z3_get_version(&mut major, &mut minor, &mut build, &mut revision) };
    let version = format!("{major}.{minor}.{build}");
    if major != OLDEST.0 || minor < OLDEST.1 {
        let (wanted, least) = OLDEST;
        return Err(format!(
            "Cairn needs Z3 {wanted}.{least} or newer of version {wanted}, but {version} was loaded"
        ));
    }
    Ok(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unpacked_library_is_the_one_in_use() {
        assert_eq!(version().as_deref(), Ok("5.4.0"));
    }
}
