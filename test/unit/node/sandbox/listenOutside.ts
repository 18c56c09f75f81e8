import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";

/** What a program outside of a sandbox listens to. */
export type EarKind = "stream" | "datagram" | "packets" | "pipe" | "tcp" | "udp";

/** A program that tells what was said to it. */
export interface Ear {
  /** A path, one in the abstract namespace with `@` before it, or a port. */
  readonly place: string;
  /** What was said to it up to now, without waiting for any more. */
  heard(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const LISTEN = String.raw`
use strict;
use warnings;
use Socket;
$| = 1;
my ($kind, $place) = @ARGV;
my $in;
if ($kind eq "pipe") { open $in, "+<", $place or die $! }
elsif ($kind eq "tcp" || $kind eq "udp") {
  socket $in, AF_INET, $kind eq "tcp" ? SOCK_STREAM : SOCK_DGRAM, 0 or die $!;
  bind $in, pack_sockaddr_in(0, inet_aton("127.0.0.1")) or die $!;
  ($place) = unpack_sockaddr_in getsockname $in;
} else {
  my %types = (stream => SOCK_STREAM, datagram => SOCK_DGRAM, packets => SOCK_SEQPACKET);
  socket $in, AF_UNIX, $types{$kind}, 0 or die $!;
  bind $in, pack_sockaddr_un($place =~ s/^@/\0/r) or die $!;
}
my $accepts = $kind =~ /^(?:stream|packets|tcp)$/;
if ($accepts) { listen $in, 9 or die $! }
print "$place\n";
while (1) {
  my $from = $in;
  if ($accepts) { accept $from = undef, $in or die $! }
  my $text;
  if ($kind eq "pipe") { sysread $from, $text, 999 } else { recv $from, $text, 999, 0 }
  print $text;
}
`;

/** Listens at a path, which has nothing yet, or at a port, for which it is empty. */
export async function listenOutside(kind: EarKind, at: string, say: (place: string) => void) {
  if (kind === "pipe") {
    const made = spawn("mkfifo", [at]);
    await once(made, "exit");
  }
  const child = spawn("perl", ["-e", LISTEN, kind, at], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  const told = async (isEnough: () => boolean) => {
    while (!isEnough()) await once(child.stdout, "data");
  };
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    text += more;
  });
  await told(() => text.includes("\n"));
  const place = text.split("\n")[0] ?? "";
  const ear: Ear = {
    place,
    async heard() {
      // Whatever was said before is told before.
      say(place);
      await told(() => text.includes("over\n"));
      const [, ...words] = text.split("\n").filter((word) => word !== "");
      text = `${place}\n`;
      return words.filter((word) => word !== "over");
    },
    async stop() {
      child.kill();
      await once(child, "exit");
      if (at.startsWith("/")) fs.rmSync(at, { force: true });
    },
  };
  return ear;
}
