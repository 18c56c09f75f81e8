# Tries to say a word to something outside of a sandbox: perl waysOut.pl WAY PLACE WORD
use strict;
use warnings;
use Fcntl;
use Socket;
my ($way, $place, $word) = @ARGV;

sub failed { print "failed: $!\n"; exit 1 }
sub unix { pack_sockaddr_un($place =~ s/^@/\0/r) }

my %types = (stream => SOCK_STREAM, datagram => SOCK_DGRAM, packets => SOCK_SEQPACKET, raw => SOCK_RAW);
my ($kind, $how) = $way =~ /^(\w+)(?: of a pair, (\w+))?$/ or die $way;

if ($kind eq "pipe") {
  sysopen my $out, $place, O_WRONLY | O_NONBLOCK or failed();
  syswrite $out, "$word\n" or failed();
} elsif ($kind eq "tcp" || $kind eq "udp") {
  my $type = $kind eq "tcp" ? SOCK_STREAM : SOCK_DGRAM;
  socket my $out, AF_INET, $type, 0 or failed();
  connect $out, pack_sockaddr_in($place, inet_aton("127.0.0.1")) or failed();
  syswrite $out, "$word\n" or failed();
} elsif ($kind eq "open") {
  open my $out, ">>&=", $place or failed();
  syswrite $out, "$word\n" or failed();
} else {
  my ($out, $other);
  if (!defined $how) { socket $out, AF_UNIX, $types{$kind}, 0 or failed() }
  else { socketpair $out, $other, AF_UNIX, $types{$kind}, 0 or failed() }
  if (defined $how && $how eq "sent") { send $out, "$word\n", 0, unix() or failed() }
  else {
    connect $out, unix() or failed();
    syswrite $out, "$word\n" or failed();
  }
}
print "done\n";
