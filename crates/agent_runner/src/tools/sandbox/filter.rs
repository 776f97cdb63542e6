//! The system-call filter of a cell: a classic BPF program, written out as data, that bubblewrap loads with
//! `--seccomp`. It refuses sockets, looking into other processes, new namespaces and what has no place in a cell;
//! every other call passes, because what it may reach is decided by the cell's mounts.

/// Sockets that a cell may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sockets {
    /// None at all.
    Forbidden,
    /// Pairs between the cell's own processes: what an event loop wakes itself with.
    Pairs,
}

/// The numbers of an architecture's calls.
struct Calls {
    /// `AUDIT_ARCH_*` of `linux/audit.h`.
    arch: u32,
    /// Calls at and above it belong to another calling convention; none if there is no such thing.
    foreign_from: Option<u32>,
    socket: u32,
    socketpair: u32,
    clone: u32,
    clone3: u32,
    /// ptrace, process_vm_readv, process_vm_writev, pidfd_getfd: other processes' memory and files.
    /// io_uring_setup, io_uring_enter, io_uring_register: sockets by another way. bpf, perf_event_open,
    /// userfaultfd, add_key, request_key, keyctl, unshare, setns, mount, pivot_root, init_module, finit_module,
    /// delete_module, kexec_load, open_by_handle_at: the kernel itself. memfd_create, memfd_secret, shmget:
    /// memory that no limit counts. fallocate: blocks beyond the end of a file, to which the limit on the size of
    /// files does not apply.
    refused: [u32; 26],
}

/// From `asm/unistd_64.h`.
#[cfg(target_arch = "x86_64")]
const CALLS: Option<Calls> = Some(Calls {
    arch: 0xC000_003E,
    foreign_from: Some(0x4000_0000),
    socket: 41,
    socketpair: 53,
    clone: 56,
    clone3: 435,
    refused: [
        101, 310, 311, 438, 425, 426, 427, 321, 298, 323, 248, 249, 250, 272, 308, 165, 155, 175, 313, 176, 246, 304,
        319, 447, 29, 285,
    ],
});

/// From `asm-generic/unistd.h`.
#[cfg(target_arch = "aarch64")]
const CALLS: Option<Calls> = Some(Calls {
    arch: 0xC000_00B7,
    foreign_from: None,
    socket: 198,
    socketpair: 199,
    clone: 220,
    clone3: 435,
    refused: [
        117, 270, 271, 438, 425, 426, 427, 280, 241, 282, 217, 218, 219, 97, 268, 40, 41, 105, 273, 106, 104, 265, 279,
        447, 194, 47,
    ],
});

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const CALLS: Option<Calls> = None;

/// Loads a word of `struct seccomp_data`.
const LOAD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_AT_LEAST: u16 = 0x35;
const JUMP_IF_ANY_BIT: u16 = 0x45;
const RETURN: u16 = 0x06;

/// Offset of the call's number in `struct seccomp_data`.
const AT_NUMBER: u32 = 0;
/// Offset of the architecture.
const AT_ARCH: u32 = 4;
/// Offset of the low half of the first argument.
const AT_FIRST_ARGUMENT: u32 = 16;

const ALLOW: u32 = 0x7FFF_0000;
const KILL_PROCESS: u32 = 0x8000_0000;
/// `SECCOMP_RET_ERRNO` with `EPERM`.
const NOT_PERMITTED: u32 = 0x0005_0001;
/// `SECCOMP_RET_ERRNO` with `ENOSYS`: the C library then tries the older call.
const UNKNOWN_CALL: u32 = 0x0005_0026;
/// Every `CLONE_NEW*` bit that the first argument of `clone` may hold.
const NEW_NAMESPACES: u32 = 0x7E02_0000;

/// The program for this machine; none if nobody has written its numbers down.
pub(super) fn program(sockets: Sockets) -> Option<Vec<u8>> {
    let Calls { arch, foreign_from, socket, socketpair, clone, clone3, refused } = CALLS?;
    let mut steps = vec![
        step(LOAD, 0, 0, AT_ARCH),
        // Another architecture has other numbers for its calls, so that none of them could be judged.
        step(JUMP_IF_EQUAL, 1, 0, arch),
        step(RETURN, 0, 0, KILL_PROCESS),
        step(LOAD, 0, 0, AT_NUMBER),
    ];
    let mut answer = |test: u16, number: u32, verdict: u32| {
        steps.extend([step(test, 0, 1, number), step(RETURN, 0, 0, verdict)]);
    };
    if let Some(first) = foreign_from {
        answer(JUMP_IF_AT_LEAST, first, UNKNOWN_CALL);
    }
    // Its flags lie in memory, which no filter can read.
    answer(JUMP_IF_EQUAL, clone3, UNKNOWN_CALL);
    refused.into_iter().for_each(|number| answer(JUMP_IF_EQUAL, number, NOT_PERMITTED));
    answer(JUMP_IF_EQUAL, socket, NOT_PERMITTED);
    if sockets == Sockets::Forbidden {
        answer(JUMP_IF_EQUAL, socketpair, NOT_PERMITTED);
    }
    steps.extend([
        // The same call makes threads and processes, which a cell may have; only new namespaces are refused.
        step(JUMP_IF_EQUAL, 0, 3, clone),
        step(LOAD, 0, 0, AT_FIRST_ARGUMENT),
        step(JUMP_IF_ANY_BIT, 0, 1, NEW_NAMESPACES),
        step(RETURN, 0, 0, NOT_PERMITTED),
        step(RETURN, 0, 0, ALLOW),
    ]);
    Some(steps.concat())
}

/// One `struct sock_filter`: code, jump if true, jump if false, operand.
fn step(code: u16, if_true: u8, if_false: u8, operand: u32) -> [u8; 8] {
    let ([a, b], [w, x, y, z]) = (code.to_ne_bytes(), operand.to_ne_bytes());
    [a, b, if_true, if_false, w, x, y, z]
}
