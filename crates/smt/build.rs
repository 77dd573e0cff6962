//! Ends the build where `scripts/setup` has not unpacked Z3's library: the linker would take one of
//! the system, which links as well if it is older, and then crashes.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let Ok(folder) = std::env::var("Z3_LIBRARY_PATH_OVERRIDE") else {
        println!("cargo::error=no folder of Z3's library is given: build inside the workspace");
        return;
    };
    println!("cargo::rerun-if-changed={folder}");
    if !Path::new(&folder).is_dir() {
        println!("cargo::error=Z3's library is not here: run scripts/setup first");
    }
}
