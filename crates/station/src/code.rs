//! Codes of the station's refusals.

use agent_runner::AgentCode;
use fleet::FleetCode;
use runtime::error::Code;
use sensing::SensingCode;

/// Every code of the station and of the crates below it.
pub fn codes() -> impl Iterator<Item = Code> {
    runtime::error::codes()
        .chain(FleetCode::codes())
        .chain(SensingCode::codes())
        .chain(AgentCode::codes())
        .chain(StationCode::codes())
}

robot::codes! {
    /// Refusals of operations.
    pub enum StationCode {
        AlreadyAdmin: Conflict,
            "The session acts as Admin already.",
            "Go on; nothing needs to be done.";
        AuditBroken: Conflict,
            "A record of the audit cannot be read.",
            "Call `verify_audit`, and let an Admin look at what it finds.";
        AuditIntact: Conflict,
            "The audit is what was written.",
            "Go on; there is nothing to accept.";
        BadCertificateName: BadInput,
            "The robot's manifest has no name that a certificate can bear.",
            "Correct `certificate_name` in the manifest as the message says, and start the station again.";
        BadFault: BadInput,
            "The simulator does not know this fault, or cannot apply it.",
            "Correct the fault as the message says.";
        BadManifest: BadInput,
            "The text is no manifest of a robot, or one that this station cannot use.",
            "Correct the line or the key that the message names.";
        BadSitePlan: BadInput,
            "The site plan is too large, or something in it has no shape or no name.",
            "Correct the field that `details.path` names.";
        BadStandingApproval: BadInput,
            "The standing approval is not one that can be granted.",
            "Correct the field that `details.path` names.";
        BadScan: BadInput,
            "The scan for robots names a place or a time that it cannot have.",
            "Correct the field that `details.path` names.";
        CertificateInForce: Conflict,
            "The robot's certificate was not revoked.",
            "Revoke it with `revoke_robot`, give the router the new rules, then remove the robot.";
        CertificateNameRevoked: Conflict,
            "The certificate name of the robot was revoked.",
            "Give the robot another `certificate_name` in its manifest, and start the station again.";
        Denied: Conflict,
            "The safety engine does not allow the command.",
            "Read the verdict in `details`, change the command so that every item holds, and propose it again.";
        DraftOpen: Conflict,
            "The draft of the robot has fields that are missing, wrong, or guesses that nobody has confirmed.",
            "Call `draft_robot`, and correct what `problems` names.";
        FolderNotFree: Conflict,
            "The folder has files in it, is a link, or is no whole path.",
            "Name a folder that does not exist yet, or an empty one.";
        FolderNotWritten: Unavailable,
            "The files could not be written, and nothing of them is in the folder.",
            "Check that the folder above it exists, has space and can be written, then try again.";
        NotCertified: Internal,
            "A certificate could not be made.",
            "Send the station's log to the developers: this is a defect of the program.";
        NotHashable: Internal,
            "The proposal could not be hashed.",
            "Send the station's log to the developers: this is a defect of the program.";
        NotNumbersOnly: BadInput,
            "An edit of a proposal may change numbers of a motion only.",
            "Change only numbers, or reject the proposal and send a command of your own.";
        NotProposable: Forbidden,
            "This operation cannot be proposed.",
            "Call it directly, or let a person start it, as the message says.";
        PinLocked: TooOften,
            "Too many wrong Admin PINs were given.",
            "Wait for the time in `details.wait_ms`, then give the right one.";
        PinNeeded: Forbidden,
            "This station asks for a PIN of whoever acts as Admin.",
            "Give it in `pin`.";
        PinNotChecked: Internal,
            "The Admin PIN could not be checked.",
            "Try again; if it fails again, set another PIN with the token that the server prints at start.";
        PinWrong: Forbidden,
            "This is not the Admin PIN.",
            "Give the right one; `details.left` says how many tries there are before none is taken for a while.";
        PlanChanged: Conflict,
            "Somebody else has saved another site plan meanwhile.",
            "Look at it with `get_site_plan`, then save again with its version; `details.version` is the newest.";
        ProposalChanged: Conflict,
            "The proposal is not what was on the screen.",
            "Read it again, then decide.";
        ProposalClosed: Conflict,
            "The proposal has been decided or has expired.",
            "Ask for the list of proposals again; `details.state` says how it ended.";
        ProposalNotFound: NotFound,
            "There is no proposal with this id.",
            "Take the id from `list_proposals`.";
        ProposalRecheck: Conflict,
            "The state has changed since the proposal was judged.",
            "Wait until it has been judged again, read it, then decide.";
        RequestIdReused: Conflict,
            "The `request_id` belongs to another request.",
            "Send the request with a new `request_id`.";
        PairingAddress: BadInput,
            "No gate can be awaited at this address.",
            "Give an address of the station's computer that the robot reaches, with a free port: `192.168.7.1:7448`.";
        PairingHere: BadInput,
            "This station pairs with gates on its own computer, and waits at no other address.",
            "Leave the address out, or tell the station its router as docs/network.md shows.";
        PairingNotComparing: Conflict,
            "There are no such digits to confirm now.",
            "Look at the digits again, and compare them with those at the gate.";
        PairingUncertified: Conflict,
            "The station cannot give a gate its certificate yet.",
            "Make the site's certificates in Admin, Connections, start the station again, and pair then.";
        RobotExists: Conflict,
            "Another robot has this id.",
            "Give one of the two another id, in its manifest and at the robot.";
        RobotKeyChanged: Conflict,
            "The simulated robot has another key than before.",
            "Start the station again.";
        RobotNotAdded: Unavailable,
            "The robot was not added, and its manifest is not kept.",
            "Try again; if it fails again, look into the station's log.";
        RoleFixed: Forbidden,
            "The role of a token does not change.",
            "Sign in with a token of that role, or let an Admin make one.";
        RouterUnknown: BadInput,
            "The address of the router is missing, or is none.",
            "Give the address at which robots reach the router, for example `router.lab:7447`.";
        ScanCancelled: Conflict,
            "The scan for robots was cancelled.",
            "Start it again if robots are still to be found.";
        ScanFailed: Unavailable,
            "The program that looks for robots has ended without a report that can be read.",
            "Run `quarterdeck-gate scan` by hand, and correct what it says.";
        ScanProgramMissing: Unavailable,
            "The program that looks for robots is not beside the station's, or did not start.",
            "Put `quarterdeck-gate` into the folder of the station's program.";
        ScanRunning: Conflict,
            "A scan for robots runs already.",
            "Wait until it has ended, or end it with `cancel_scan`.";
        SimulatorFailed: Unavailable,
            "The simulator did not start, has ended or does not answer.",
            "Look into its log, then call `start_simulator` again.";
        SimulatorStopped: Conflict,
            "The simulator does not run.",
            "Start it with `start_simulator`.";
        SiteKeyChanged: Conflict,
            "The key with which the site's certificates were made is gone, or is another.",
            "Put the key back as it was, or make a new site: remove the row `network` from station.db and make every certificate again.";
        StandingApprovalNotFound: NotFound,
            "There is no standing approval with this id.",
            "Take the id from `list_standing_approvals`; it may have ended.";
        TokenNotFound: NotFound,
            "There is no token with this id.",
            "Take the id from `list_tokens`.";
        TooManyOpen: Conflict,
            "Too many proposals wait, or too many were made in this minute.",
            "Decide on those that wait, or propose again in a minute.";
        TooManyRequests: Unavailable,
            "Too many requests of this session are being carried out.",
            "Wait for their answers, then try again.";
        UnknownOperation: NotFound | BadInput,
            "There is no operation with this name.",
            "Correct the name; `details.nearest` holds the most similar ones.";
    }
}
