//! Codes of the bridge's errors. They are also the codes of commands that it did not send.

robot::codes! {
    /// Refusals and failures of the bridge.
    pub enum BridgeCode {
        GateLimits: Unavailable,
            "The robot's gate cannot use the limits of the manifest.",
            "Correct the limit that the message names in the robot's manifest, and start the gate again.";
        GateNotStored: Unavailable,
            "The robot's gate cannot read or write its state file.",
            "Free space on the robot's disk and check the rights of the gate's folder, then start the gate again.";
        LinkNotOpened: Unavailable,
            "The Zenoh session cannot be opened.",
            "Check the Zenoh settings and whether another program uses the port, then start the station again.";
        NoBeatAnswered: Unavailable,
            "The robot's gate has not answered a beat yet.",
            "Check that the gate runs and reaches the station, and send the command again.";
        NoSendThread: Unavailable,
            "The operating system gave no thread for the robot's commands.",
            "Close other programs or raise the limit of threads, then start the station again.";
        NoStopThread: Unavailable,
            "The operating system gave no thread for the robot's stops.",
            "Close other programs or raise the limit of threads, then start the station again.";
        NotASampleKey: Unavailable,
            "Samples cannot be published on this key.",
            "Use a key without wildcards and without a chunk `cmd`.";
        NotDeclared: BadInput,
            "Zenoh took no publisher or subscriber for this key expression.",
            "Check the link to the Zenoh router, then try again.";
        NotEncoded: Unavailable,
            "A message could not be written as JSON.",
            "Send the station's log to the developers: this is a defect of the program.";
        NotPut: Unavailable | Internal,
            "Zenoh did not take a message.",
            "Check the link to the Zenoh router, then try again.";
        RefusedAtSend: Unavailable,
            "The command no longer held when it was to be sent.",
            "Look at the robot's state and its limits, and submit a new command.";
        RobotKey: Unavailable,
            "The `public_key` in the robot's manifest is not a key.",
            "Copy the key that the robot's gate shows into the manifest.";
        Superseded: Unavailable,
            "A later command for the same actuator came before this one was sent.",
            "Nothing needs to be done; send the command again if it is still wanted.";
        UnknownActuator: Unavailable,
            "The robot has no such actuator.",
            "Use an actuator from the robot's manifest, which `list_robots` shows.";
        ZenohConfigRefused: Unavailable,
            "A Zenoh setting would open the station to a network, or is unknown.",
            "Correct the setting that the message names, and start the station again.";
        ZenohConfigUnreadable: Unavailable,
            "The Zenoh configuration file is missing or cannot be read.",
            "Correct the file or its path in config.toml, and start the station again.";
    }
}
