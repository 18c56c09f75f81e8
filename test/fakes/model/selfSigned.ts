import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A certificate and its key in PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Makes a certificate that signs itself, valid for these DNS names and IPv4 addresses for a day.
 * Who trusts it trusts the server.
 */
export function selfSigned(hosts: readonly string[]): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const point = publicKey.export({ type: "spki", format: "der" });
  const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
  // Of its own: verifiers look issuers up by name.
  const name = sequence(
    der(
      0x31,
      sequence(
        oid("550403"),
        der(0x0c, Buffer.from(`Graft test ${randomBytes(4).toString("hex")}`)),
      ),
    ),
  );
  const names = hosts.map((host) =>
    /^[\d.]+$/.test(host)
      ? der(0x87, Buffer.from(host.split(".").map(Number)))
      : der(0x82, Buffer.from(host)),
  );
  const isAuthority = extension("551d13", sequence(der(0x01, Buffer.from([0xff]))));
  const keyId = extension("551d0e", der(0x04, createHash("sha1").update(point).digest()));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time(-3_600_000), time(86_400_000)),
    name,
    point,
    der(0xa3, sequence(isAuthority, keyId, extension("551d11", sequence(...names)))),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]));
  const base64 = sequence(body, ecdsaWithSha256, signature)
    .toString("base64")
    .match(/.{1,64}/g)
    ?.join("\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(0x04, value));
}

function time(fromNow: number): Buffer {
  const text = new Date(Date.now() + fromNow).toISOString().replace(/[-:T]|\.\d+/g, "");
  return der(0x17, Buffer.from(text.slice(2)));
}
