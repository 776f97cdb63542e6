//! Codes of refusals of the shared services.

robot::codes! {
    /// Refusals of settings, keys, storage and the audit.
    pub enum RuntimeCode {
        AuditDiffers: Conflict,
            "The audit is not what was written.",
            "Let an Admin look at what was found on the Safety screen and accept it.";
        AuditFailed: Unavailable,
            "The record of the call cannot be written, so nothing was done.",
            "Check that the station's disk has space and can be written, then try again.";
        AuditFoundMore: Conflict,
            "More is wrong with the audit than was shown.",
            "Call `audit_state` again, look at all of it, and accept what it says now.";
        AuditFull: Unavailable,
            "Too many records wait for the disk, so nothing was done.",
            "Wait a moment and try again; if it lasts, check the station's disk.";
        AuditMarkFailed: Unavailable,
            "The audit's mark cannot be saved.",
            "Check that the station's folder can be written, then accept the audit again.";
        AuditSlow: Unavailable,
            "The record of the call was not on disk in time, so nothing was done.",
            "Try again; if it lasts, check whether another program keeps the disk busy.";
        AuditUnchecked: Conflict,
            "The records of earlier runs are still being checked, or cannot be read.",
            "Wait until `audit_state` says that they are checked; if they cannot be read, an Admin must look at them.";
        BadArgument: BadInput,
            "An argument does not fit the template of a tool or source.",
            "Correct the argument that `details.path` names.";
        Busy: Conflict,
            "Too much of this kind is waiting or running already.",
            "Wait a moment, then try again.";
        ConfigInvalid: Conflict,
            "The file config.toml holds something that cannot be used.",
            "Repair the file as the message says, then try again.";
        ConfigNotWritten: Unavailable,
            "The file config.toml cannot be read or written.",
            "Check the disk and the rights of the station's folder, then try again.";
        Forbidden: Forbidden,
            "This session may not call the operation.",
            "Sign in with a role or as a user that the message names, or let a person call it.";
        InvalidBelief: BadInput,
            "The belief is not one that can be kept.",
            "Correct the field that `details.field` names.";
        KeychainUnavailable: Unavailable,
            "The keychain is locked, does not answer, or there is none.",
            "Unlock the keychain, or set the key for this session only.";
        NotEncodable: Internal,
            "The answer could not be written as JSON.",
            "Send the station's log to the developers: this is a defect of the program.";
        NotStopped: Unavailable,
            "The stop was not carried out.",
            "Press STOP ALL, and use the robot's hardware stop if the robot does not stop at once.";
        ReasonMissing: BadInput,
            "The call needs a reason.",
            "Give a reason of the length that the message names.";
        ReasonQuotesContent: BadInput,
            "The reason quotes what is to be forgotten, and a reason stays in the audit.",
            "Give a reason that does not repeat the text.";
        SecretNotFound: NotFound,
            "There is no key with this name.",
            "Set it with `set_secret`, or set the variable that the message names.";
        SecretUnreadable: Conflict,
            "A variable or an entry of the keychain does not hold a key of the station.",
            "Correct the variable, or remove the entry that the message names.";
        SecretsReadOnly: Conflict,
            "Keys come from the environment, where the station cannot keep any.",
            "Set the variable that the message names and start the station again, or set the key for this session only.";
        SetTampered: Conflict,
            "The stored limits or their records are not what was saved.",
            "Let an Admin compare and accept them on the Safety screen.";
        StationEnded: Unavailable,
            "The station is ending.",
            "Start the station again, then repeat the call.";
        StorageDamaged: Unavailable,
            "The database is damaged, and the station is trying to restore it.",
            "Wait until the alarm about it ends, then try again; if it stays, restore a backup.";
        StorageFailed: Unavailable,
            "The database did not do what was asked.",
            "Try again; if it fails again, look into the station's log.";
        StorageFull: Unavailable,
            "The disk is full, or cannot be written.",
            "Free space on the station's disk, then try again.";
        TooLarge: BadInput | Conflict,
            "The input, or the file to fetch, has more bytes than may be.",
            "Send or fetch less at once; the message names the limit.";
        VersionConflict: Conflict,
            "Somebody else changed it meanwhile.",
            "Ask for the present state again, compare, and repeat the call with the new version.";
        WrongState: Conflict,
            "Its state does not allow this.",
            "Look at its state again, which `details.state` may name, and call what fits it.";
    }
}
