/**
 * A Perl program that takes away its right to write anywhere but beneath some places, for good and
 * for all that it starts, and becomes a command.
 *
 * Its arguments: the number of `prctl`, the count of places, these as absolute paths, and the
 * command. A place that is not there is left out. Exits with 125 and a message where the kernel
 * cannot do that, and with no command.
 */
export const CONFINE_SCRIPT = String.raw`
use strict;
use constant { NEW_RULESET => 444, ADD_RULE => 445, RESTRICT_SELF => 446, BENEATH => 1, VERSION => 1 };
# O_PATH: nothing is read, and no pipe or terminal waits.
use constant { ONLY_PATH => 0x200000 };
# Writing and truncating files; removing, making and moving entries of folders.
use constant { FILE => 1 << 1 | 1 << 14, FOLDER => 1 << 4 | 1 << 5 | 0x7f << 6 | 1 << 13 };
my ($prctl, $count, @command) = @ARGV;
my @places = splice @command, 0, $count;

sub give_up { print STDERR "graft: not confined: $_[0]: $!\n"; exit 125 }

# What the editor has open for writing would stay so.
opendir my $all, "/proc/self/fd" or give_up("/proc/self/fd");
my @open = grep { /^\d+$/ && $_ > 2 } readdir $all;
closedir $all;
for (@open) { open(my $given, "<&=", $_) or next; close $given }

# Before the third version truncating was not among the rights.
give_up("Landlock") if syscall(NEW_RULESET, 0, 0, VERSION) < 3;
my $handled = pack "Q", FILE | FOLDER;
my $rules = syscall(NEW_RULESET, $handled, 8, 0);
give_up("Landlock") if $rules == -1;
for (@places) {
  sysopen my $place, $_, ONLY_PATH or next;
  my $rule = pack "Q l", (-d $place ? FILE | FOLDER : FILE), fileno $place;
  give_up($_) if syscall(ADD_RULE, $rules, BENEATH, $rule, 0) == -1;
}
give_up("privileges") if syscall($prctl + 0, 38, 1, 0, 0, 0) == -1;
give_up("Landlock") if syscall(RESTRICT_SELF, $rules, 0) == -1;
exec { $command[0] } @command;
print STDERR "$command[0]: $!\n";
exit 127;
`;
