//! Codes of what is wrong with a gate's files and its start. They stand in docs/connect-a-robot.md.

robot::codes! {
    /// Refusals of the gate program.
    pub enum GateCode {
        WiringUnreadable: BadInput,
            "The wiring file is missing or cannot be read.",
            "Correct the path after --config, and the rights of the file.";
        WiringSyntax: BadInput,
            "The wiring is no valid file of its form.",
            "Correct the line that the message names.";
        LimitsInWiring: BadInput,
            "Limits, the body or the stop behaviour stand in the wiring.",
            "Move them into the robot's manifest, which the station judges by too.";
        NoAdapter: BadInput,
            "The wiring names no adapter, or more than one.",
            "Keep exactly one of the tables [exec], [ros2], [mavlink] and [vda5050].";
        AdapterNotBuilt: BadInput,
            "This program was built without the adapter that the wiring names.",
            "Use a build of quarterdeck-gate that has it, or another adapter.";
        PlacementRefused: BadInput,
            "A gate on the robot's own computer reaches the station through the site's router alone.",
            "Leave `station` out and pair the gate, or name the bundle that was exported for it: `station = { bundle = \".\" }`.";
        EndpointNotLoopback: BadInput,
            "The station's endpoint leads beyond this computer, and there it would be reached without encryption.",
            "Run the gate on the station's computer, with an endpoint such as tcp/127.0.0.1:7447, or name a `bundle`.";
        EndpointClash: BadInput,
            "The robot's own router or broker is where the station is looked for.",
            "Name the station's endpoint as Admin, Connections shows it, or let the robot's router listen on another port.";
        BadStation: BadInput,
            "The wiring's `station`, or the bundle that it names, is incomplete or cannot be read.",
            "Copy `id` and `public_key` from the operation `session_info`, or name the folder of an exported bundle.";
        BadCommand: BadInput,
            "The wiring names no program to start.",
            "Write the program and its arguments into `command`.";
        BadRos2: BadInput,
            "The table [ros2] of the wiring cannot be used as it is.",
            "Correct the name or the number that the message names.";
        Ros2PartMissing: BadInput,
            "The table [ros2] asks for something that this program does not have.",
            "Leave it out, or use what docs/connect-a-robot.md offers in its place.";
        BadVda5050: BadInput,
            "The table [vda5050] of the wiring cannot be used as it is, or its vehicle is not there.",
            "Correct the name, the file or the broker that the message names.";
        BadScan: BadInput,
            "The scan cannot be carried out as it was asked for.",
            "Correct the domain, the router or the time that the message names.";
        BadManifest: BadInput,
            "The robot's manifest is missing or wrong.",
            "Correct the line that the message names.";
        ManifestUnfit: BadInput,
            "The manifest and the wiring do not fit each other.",
            "Correct what the message names, in the manifest here and at the station.";
        KeyMismatch: BadInput,
            "The `public_key` of the manifest is not this gate's key.",
            "Copy the key that `quarterdeck-gate key` prints into the manifest, here and at the station.";
        PairingFailed: Conflict,
            "The gate and the station were not paired, and nothing was kept.",
            "Open the pairing in the window again, and begin again here.";
        NotPaired: Conflict,
            "The gate on the robot's own computer was not paired yet, and has no way to its station.",
            "Open the pairing in the window, and type the command that it shows.";
        StateUnusable: Unavailable,
            "The gate's folder for its key and its memory cannot be used.",
            "Correct the rights of the folder that the message names.";
        NotStarted: Unavailable,
            "The gate could not be started.",
            "Correct what the message names, and start it again.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rg_03_every_code_stands_in_the_document_with_its_remedy() {
        let text = include_str!("../../../docs/connect-a-robot.md");
        for code in GateCode::codes() {
            let row = format!("| `{code}` | {} | {} |", code.row().meaning, code.row().remedy);
            assert!(text.contains(&row), "{row}");
        }
    }
}
