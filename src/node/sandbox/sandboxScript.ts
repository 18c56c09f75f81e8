/**
 * A Perl program that closes itself in and runs a command there. It is the first process of new
 * namespaces for mounts, processes, messages and the network, with all capabilities over them.
 *
 * Its arguments: the numbers of `mount`, `prctl`, `capset` and `prlimit64`, the filter of
 * `callFilter`, the file with `placesList`, the command's folder, the count of folders that stay
 * writable, these folders, and the command. What is open as number 3 gets the network's
 * counters at the end. Exits with 125 and a message where
 * anything of it fails.
 */
export const SANDBOX_SCRIPT = String.raw`
use strict;
use constant { MOUNT_SETATTR => 442, AT_FDCWD => -100, AT_RECURSIVE => 0x8000, RDONLY => 1 };
use constant { NEW_RULESET => 444, ADD_RULE => 445, RESTRICT_SELF => 446, BENEATH => 1, CHANGES => 1 << 1 | 1 << 13 };
use constant { PROCESSES => 6, SIGNALS => 11, MOST_PROCESSES => 4096 };
use constant { NOSUID => 2, NOSUID_NODEV => 6, NOSUID_NOEXEC => 10, BIND => 4096, ALL_BELOW => 16384, MOVE => 8192 };
my ($mount, $prctl, $capset, $prlimit, $filter, $places, $cwd, $count, @command) = @ARGV;
my @folders = splice @command, 0, $count;

sub give_up { print STDERR "graft: no sandbox: $_[0]: $!\n"; exit 125 }
sub need { my ($what, $call, @rest) = @_; give_up($what) if syscall($call, @rest) == -1 }
sub mounted { my ($from, $to, $type, $flags, $data) = @_; need("mount $to", $mount + 0, $from, $to, $type, $flags, $data) }
sub all_of { opendir my $all, $_[0] or give_up($_[0]); grep { !/^\./ } readdir $all }
sub writable { my ($path, $flags, $set, $clear) = @_; my $how = pack "Q4", $set, $clear, 0, 0; need("protect $path", MOUNT_SETATTR, AT_FDCWD, $path, $flags, $how, 32) }

open my $list, "<", $places or give_up($places);
my @given = do { local $/ = "\0"; map { chomp; $_ } <$list> };
close $list;
my (%of, %links);
while (@given) {
  my ($kind, $path) = (shift @given) =~ /^(.)(.*)$/s;
  if ($kind eq "l") { $links{$path} = shift @given } else { push @{$of{$kind}}, $path }
}

mounted("proc", "/proc", "proc", 14, "");

# Where memory ends, what runs here ends before all else. Processes count in the user's namespace,
# but the superuser's without limit; since Linux 6.14 a namespace of processes has its own limit.
sub put { open my $file, ">", $_[0] or give_up($_[0]); print $file $_[1]; close $file or give_up($_[0]) }
put("/proc/self/oom_score_adj", 1000);
my ($now, $wanted) = (pack("Q2", 0, 0), pack("Q2", (MOST_PROCESSES) x 2));
# The kernel writes into this variable, so it must not be a copy.
give_up("limit") if syscall($prlimit + 0, 0, PROCESSES, 0, $now) == -1;
need("limit", $prlimit + 0, 0, PROCESSES, $wanted, 0) if (unpack "Q2", $now)[1] > MOST_PROCESSES;
# Signals that wait count for the user, whose other programs need some, too.
give_up("limit") if syscall($prlimit + 0, 0, SIGNALS, 0, $now) == -1;
my $half = pack "Q2", (int((unpack "Q2", $now)[1] / 2)) x 2;
need("limit", $prlimit + 0, 0, SIGNALS, $half, 0);
open my $release, "<", "/proc/sys/kernel/osrelease" or give_up("release");
my ($major, $minor) = <$release> =~ /^(\d+)\.(\d+)/;
close $release;
put("/proc/sys/kernel/pid_max", MOST_PROCESSES) if $major > 6 || ($major == 6 && $minor >= 14);

# What watches files counts for the user, whose editor needs it, too: a half of each is enough.
for (["inotify/max_user_instances", "inotify_instances"], ["inotify/max_user_watches", "inotify_watches"],
     ["fanotify/max_user_groups", "fanotify_groups"], ["fanotify/max_user_marks", "fanotify_marks"]) {
  my ($users, $own) = ("/proc/sys/fs/$_->[0]", "/proc/sys/user/max_$_->[1]");
  next unless -e $own && open my $limit, "<", $users;
  put($own, int(<$limit> / 2));
}

# What the editor has open could be a connection.
for (grep { $_ > 3 } all_of("/proc/self/fd")) { open(my $given, "<&=", $_) or next; close $given }

# Folders that are hidden are new ones in memory, all in one place, so that they share its limit.
# Links lead as they did, and what is shown there can be written to, but that is thrown away.
my %opened;
for (@folders) { open $opened{$_}, "<", $_ or give_up($_) }
for (@{$of{s}}) { -d $_ || -f _ and (open $opened{$_}, "<", $_ or delete $opened{$_}) }
my %stays = map { $_ => 1 } @folders;
my @kept;
sub holds { index("$_[1]/", "$_[0]/") == 0 }
sub made { my $at = ""; for (split m{/}, substr $_[0], 1) { $at .= "/$_"; mkdir $at } }
sub above { $_[0] =~ m{^(.*)/} ? $1 : "" }
mounted("tmpfs", "/tmp", "tmpfs", NOSUID_NODEV, "mode=755,size=40%");
for my $at (0 .. $#{$of{h}}) {
  my ($hidden, $own) = ($of{h}[$at], "/tmp/$at");
  mkdir $own;
  my $inside = sub { $own . substr $_[0], length $hidden };
  for (grep { holds($hidden, $_) } @{$of{m}}) { made($inside->($_)) }
  for (grep { holds($hidden, $_) } keys %links) { my $at = $inside->($_); made(above($at)); symlink $links{$_}, $at }
  for my $path (sort grep { holds($hidden, $_) } keys %opened) {
    my ($at, $from) = ($inside->($path), "/proc/self/fd/" . fileno $opened{$path});
    if (-f $opened{$path}) {
      made(above($at));
      open my $file, ">", $at or give_up($at);
      close $file;
      mounted($from, $at, "", BIND, "");
      next;
    }
    made($at);
    if (!$stays{$path}) {
      my $layer = "/tmp/layer" . @kept;
      mkdir $_ for $layer, "$layer/upper", "$layer/work";
      my ($type, $data) = ("overlay", "lowerdir=$from,upperdir=$layer/upper,workdir=$layer/work,userxattr");
      if (syscall($mount + 0, $type, $at, $type, NOSUID_NODEV, $data) == 0) { push @kept, $path; next }
    }
    mounted($from, $at, "", BIND | ALL_BELOW, "");
  }
  chmod 01777, $own if $hidden eq $of{h}[-1];
  mounted($own, $hidden, "", BIND | ALL_BELOW, "");
}
close $_ for values %opened;

# Devices that lead nowhere, and no terminals of others.
my $dev = "/tmp/.dev";
mkdir $dev;
mounted("tmpfs", $dev, "tmpfs", NOSUID, "mode=755");
for (qw(null zero full random urandom tty)) {
  open my $made, ">", "$dev/$_" or give_up("$dev/$_");
  close $made;
  mounted("/dev/$_", "$dev/$_", "", BIND, "");
}
symlink "/proc/self/fd", "$dev/fd";
symlink "/proc/self/fd/$_->[0]", "$dev/$_->[1]" for [0, "stdin"], [1, "stdout"], [2, "stderr"];
symlink "pts/ptmx", "$dev/ptmx";
mkdir "$dev/$_" for qw(pts shm);
mounted("devpts", "$dev/pts", "devpts", NOSUID_NOEXEC, "newinstance,ptmxmode=0666,mode=620");
mounted("tmpfs", "$dev/shm", "tmpfs", NOSUID_NODEV, "mode=1777,size=20%");
mounted($dev, "/dev", "", MOVE, "");
rmdir $dev;

# Keys: folders without files, and files without bytes, that nobody can write.
open my $empty, ">", "/tmp/.empty" or give_up("/tmp/.empty");
close $empty;
for (@{$of{e}}) {
  next if -l $_;
  if (-d _) { mounted("tmpfs", $_, "tmpfs", NOSUID_NODEV, "mode=755,size=4k") }
  elsif (-f _) { mounted("/tmp/.empty", $_, "", BIND, "") }
}
unlink "/tmp/.empty";

writable("/", AT_RECURSIVE, RDONLY, 0);
my @writable = ("/dev", @{$of{h}}, @kept, @folders);
writable($_, 0, 0, RDONLY) for "/dev/shm", @{$of{h}}, @kept, @folders;

socket(my $socket, 2, 2, 0) or give_up("socket");
my $up = pack "a16 s x14", "lo", 0x41;
ioctl $socket, 0x8914, $up or give_up("loopback");
close $socket;

chdir $cwd or give_up($cwd);
$ENV{TMPDIR} = "/tmp" if exists $ENV{TMPDIR};
open my $report, ">&=", 3 or give_up("report");
syscall($prctl + 0, 24, $_, 0, 0, 0) for 0 .. 63;
need("drop capabilities", $prctl + 0, 47, 4, 0, 0, 0);
my ($own, $none) = (pack("L2", 0x20080522, 0), pack("L6", (0) x 6));
need("drop capabilities", $capset + 0, $own, $none);
need("drop privileges", $prctl + 0, 38, 1, 0, 0, 0);

# A pipe that lies in a read-only folder can be written to; whoever reads it is outside.
give_up("Landlock") if syscall(NEW_RULESET, 0, 0, 1) < 2;
my ($changes, $rules) = (pack("Q", CHANGES), 0);
give_up("Landlock") if ($rules = syscall(NEW_RULESET, $changes, 8, 0)) == -1;
for (@writable) {
  open my $folder, "<", $_ or give_up($_);
  my $rule = pack "Q l", CHANGES, fileno $folder;
  need("allow $_", ADD_RULE, $rules, BENEATH, $rule, 0);
}
need("restrict", RESTRICT_SELF, $rules, 0);
my $bytes = pack "H*", $filter;
my $program = pack "S x6 p", length($bytes) / 8, $bytes;
need("filter", $prctl + 0, 22, 2, $program, 0, 0);

my $child = fork;
give_up("fork") unless defined $child;
if ($child == 0) {
  close $report;
  for (grep { /^GRAFT_MOVED_/ } keys %ENV) { $ENV{substr $_, 12} = delete $ENV{$_} }
  exec { $command[0] } @command;
  print STDERR "$command[0]: $!\n";
  exit 127;
}
# Nobody in here looks into this process, or takes what it has open.
syscall($prctl + 0, 4, 0, 0, 0, 0);
$SIG{TERM} = $SIG{INT} = sub { kill "TERM", $child };
my $status = 0;
while (1) {
  my $ended = wait;
  if ($ended == $child) { $status = $?; last }
  last if $ended == -1 && !$!{EINTR};
}
for my $counters ("/proc/net/snmp", "/proc/net/snmp6") {
  open my $in, "<", $counters or next;
  print $report $_ while <$in>;
}
close $report;
exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
`;
