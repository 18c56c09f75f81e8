import { readPlainText } from "./readPlain.ts";

/** A system's accounts and groups: https://man7.org/linux/man-pages/man5/group.5.html */
interface Accounts {
  /** The text of /etc/passwd. */
  readonly users: string;
  /** The text of /etc/group. */
  readonly groups: string;
}

/**
 * Whether nobody but the user and the superuser is in a group. Proven by the system's own files, or
 * where these do not have it, by the number that a user shares with a group of their own.
 */
export async function isOwnGroup(gid: number): Promise<boolean> {
  const [user, own] = [process.getuid?.(), process.getgid?.()];
  if (user === undefined) return false;
  const [users, groups] = await Promise.all([
    readPlainText("/etc/passwd"),
    readPlainText("/etc/group"),
  ]);
  const known = hasOnly(user, gid, { users: users ?? "", groups: groups ?? "" });
  return known ?? (gid === user && gid === own);
}

/** Whether a group is only the user's and the superuser's; null where there is none. */
export function hasOnly(user: number, gid: number, { users, groups }: Accounts): boolean | null {
  const fieldsOf = (text: string) => text.split("\n").map((line) => line.trim().split(":"));
  const accounts = fieldsOf(users).map(([name, , uid, group]) => ({
    name,
    isOther: uid !== "0" && uid !== String(user),
    isIn: group === String(gid),
  }));
  const found = fieldsOf(groups).filter((fields) => fields[2] === String(gid));
  if (found.length === 0) return null;
  const members = found.flatMap((fields) => (fields[3] ?? "").split(",")).filter((name) => name);
  return (
    !accounts.some(({ isIn, isOther }) => isIn && isOther) &&
    members.every((name) => accounts.some((each) => each.name === name && !each.isOther))
  );
}
