/** The numbers of the system calls that a sandbox knows, on one kind of processor. */
export interface CallNumbers {
  /** `AUDIT_ARCH_*` of the kernel's `linux/audit.h`. */
  readonly architecture: number;
  readonly mount: number;
  readonly prctl: number;
  readonly capset: number;
  /** `prlimit64`. */
  readonly prlimit: number;
  readonly socket: number;
  readonly socketpair: number;
  readonly ioctl: number;
  readonly fcntl: number;
  /** `io_setup`, whose requests count for the whole machine. */
  readonly ioSetup: number;
  readonly keys: readonly number[];
  readonly clone: number;
  readonly unshare: number;
  /** `setns`, and what writes into another process or reads it. */
  readonly others: readonly number[];
}

const NUMBERS: Readonly<Record<string, CallNumbers>> = {
  x64: {
    architecture: 0xc000003e,
    ...{ mount: 165, prctl: 157, capset: 126, prlimit: 302 },
    ...{ socket: 41, socketpair: 53, ioctl: 16, fcntl: 72, ioSetup: 206 },
    keys: [248, 249, 250],
    ...{ clone: 56, unshare: 272, others: [308, 310, 311] },
  },
  arm64: {
    architecture: 0xc00000b7,
    ...{ mount: 40, prctl: 167, capset: 91, prlimit: 261 },
    ...{ socket: 198, socketpair: 199, ioctl: 29, fcntl: 25, ioSetup: 0 },
    keys: [217, 218, 219],
    ...{ clone: 220, unshare: 97, others: [268, 270, 271] },
  },
};

/** Null for a processor whose system calls are not known here. */
export function callNumbers(processor: string): CallNumbers | null {
  return NUMBERS[processor] ?? null;
}

// Words of `linux/bpf_common.h`, `linux/seccomp.h` and `asm-generic/errno-base.h`.
const LOAD = 0x20;
const AND = 0x54;
const SKIP_UNLESS = 0x15;
const SKIP_BELOW = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const refuse = (errno: number) => 0x00050000 + errno;
const [EPERM, EACCES, ENOSYS] = [1, 13, 38];

/** Offsets in `struct seccomp_data`. */
const [NUMBER, ARCHITECTURE, FIRST, SECOND] = [0, 4, 16, 24];
/** Calls above this are those of the x32 interface, whose numbers are others. */
const X32 = 0x40000000;
/** It opens sockets without the call that this filter sees. */
const IO_URING_SETUP = 425;
/** Its flags are where no filter sees them; libraries then use `clone`. */
const CLONE3 = 435;
/** `pidfd_getfd` takes what another process has open. */
const PIDFD_GETFD = 438;
/** From `open_tree` to `fspick`: mounts without `mount`, in namespaces that a process makes itself. */
const MOUNTING = [428, 429, 430, 431, 432, 433];
/** `CLONE_NEWUSER`: in such a namespace all capabilities come back. */
const NEW_USER = 0x10000000;
/** Internet and the kernel's own; a Unix socket could be a service of the user's. */
const FAMILIES = [2, 10, 16];
/** `SOCK_STREAM` and `SOCK_SEQPACKET`: a pair of any other type can still send to any path. */
const PAIRS = [1, 5];
/** What of a socket's type is no flag. */
const TYPE = 0xf;
/** `TIOCSTI` and `TIOCLINUX` type into a terminal. */
const TYPING = [0x5412, 0x541c];

/** `F_SETLEASE` makes whoever opens a file wait, also outside. */
const SET_LEASE = 1024;

/**
 * A filter for `PR_SET_SECCOMP`, as hexadecimal digits. It refuses sockets that lead out of a network
 * namespace, the keyrings, typing into a terminal, leases, namespaces of users and what is mounted
 * there, reaching into other processes, and calls by another interface's numbers.
 */
export function callFilter(numbers: CallNumbers): string {
  const { architecture, socket, socketpair, ioctl, fcntl, ioSetup, keys, clone, unshare, others } =
    numbers;
  const result = (value: number) => step(RETURN, value);
  const unless = (value: number, steps: readonly string[]) => [
    step(SKIP_UNLESS, value, 0, steps.length),
    ...steps,
  ];
  return [
    step(LOAD, ARCHITECTURE),
    step(SKIP_UNLESS, architecture, 1, 0),
    result(refuse(EPERM)),
    step(LOAD, NUMBER),
    step(SKIP_BELOW, X32, 0, 1),
    result(refuse(EPERM)),
    ...[IO_URING_SETUP, CLONE3, ioSetup].flatMap((call) => unless(call, [result(refuse(ENOSYS))])),
    ...[...keys, ...others, ...MOUNTING, PIDFD_GETFD].flatMap((call) =>
      unless(call, [result(refuse(EPERM))]),
    ),
    ...[clone, unshare].flatMap((call) =>
      unless(call, [
        step(LOAD, FIRST),
        step(AND, NEW_USER),
        ...unless(NEW_USER, [result(refuse(EPERM))]),
        result(ALLOW),
      ]),
    ),
    ...unless(ioctl, [
      step(LOAD, SECOND),
      ...TYPING.flatMap((request) => unless(request, [result(refuse(EPERM))])),
      result(ALLOW),
    ]),
    ...unless(fcntl, [
      step(LOAD, SECOND),
      ...unless(SET_LEASE, [result(refuse(EACCES))]),
      result(ALLOW),
    ]),
    ...unless(socket, [
      step(LOAD, FIRST),
      ...FAMILIES.flatMap((family) => unless(family, [result(ALLOW)])),
      result(refuse(EACCES)),
    ]),
    ...unless(socketpair, [
      step(LOAD, SECOND),
      step(AND, TYPE),
      ...PAIRS.flatMap((type) => unless(type, [result(ALLOW)])),
      result(refuse(EACCES)),
    ]),
    result(ALLOW),
  ].join("");
}

/** One instruction, `struct sock_filter` in the order of bytes that both processors use. */
function step(code: number, value: number, ifTrue = 0, ifFalse = 0): string {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setUint16(0, code, true);
  bytes.setUint8(2, ifTrue);
  bytes.setUint8(3, ifFalse);
  bytes.setUint32(4, value, true);
  return Array.from(new Uint8Array(bytes.buffer), (each) =>
    each.toString(16).padStart(2, "0"),
  ).join("");
}
