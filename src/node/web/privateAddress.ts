import { BlockList, isIP, isIPv4 } from "node:net";

/** Networks that are not the public internet, by RFC 6890 and its successors. */
const IPV4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4";
/** With those that carry an IPv4 address; `::ffff:…` is compared as that address. */
const IPV6 =
  "::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8";

const blocked = new BlockList();
for (const [family, list] of [
  ["ipv4", IPV4],
  ["ipv6", IPV6],
] as const)
  for (const network of list.split(" ")) {
    const [address = "", bits = ""] = network.split("/");
    blocked.addSubnet(address, Number(bits), family);
  }

/** True for an IP address of this machine, of a private network, or of none. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  return isIP(plain) === 0 || blocked.check(plain, isIPv4(plain) ? "ipv4" : "ipv6");
}
