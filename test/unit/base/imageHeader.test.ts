import assert from "node:assert/strict";
import fc from "fast-check";
import { MAX_IMAGE_BYTES, readImageHeader } from "../../../src/base/imageHeader.ts";
import { fromBase64, toBase64 } from "../../../src/base/text/base64.ts";
import { PNG_DOT } from "../../fakes/images.ts";

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === "string" ? [...part].map((char) => char.charCodeAt(0)) : part,
    ),
  );
const uint32 = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
const png = (width: number, height: number) =>
  bytes("\x89PNG\r\n\x1a\n", uint32(13), "IHDR", uint32(width), uint32(height), [8, 6, 0, 0, 0]);
const exif = [0xff, 0xe1, 0, 10, ..."Exif\0\0GP".split("").map((char) => char.charCodeAt(0))];
const jpeg = (...segments: number[][]) => bytes([0xff, 0xd8], ...segments);
const frame = (width: number, height: number) => [
  0xff,
  0xc2,
  0,
  11,
  8,
  height >> 8,
  height & 0xff,
  width >> 8,
  width & 0xff,
  1,
  1,
  0x11,
  0,
];
const riff = (...parts: (string | number[])[]) => bytes("RIFF", [0, 0, 0, 0], "WEBP", ...parts);

describe("the header of an image", () => {
  const read = (given: Uint8Array) => {
    const header = readImageHeader(given);
    return header.ok ? [header.value.type, header.value.width, header.value.height] : header.error;
  };

  it("gives type and size", () => {
    assert.deepEqual(read(PNG_DOT), ["png", 1, 1]);
    assert.deepEqual(read(png(1920, 1080)), ["png", 1920, 1080]);
    assert.deepEqual(read(jpeg(exif, [0xff], [0xff, 0xc4, 0, 4, 0, 0], frame(640, 480))), [
      "jpeg",
      640,
      480,
    ]);
    assert.deepEqual(read(bytes("GIF89a", [44, 1, 200, 0, 0, 0, 0])), ["gif", 300, 200]);
    assert.deepEqual(read(riff("VP8X", [10, 0, 0, 0, 0, 0, 0, 0], [0xe7, 3, 0], [0xf3, 1, 0])), [
      "webp",
      1000,
      500,
    ]);
    assert.deepEqual(read(riff("VP8L", [9, 0, 0, 0], [0x2f], [0x63, 0xc0, 0x0c, 0x00])), [
      "webp",
      100,
      52,
    ]);
    assert.deepEqual(
      read(riff("VP8 ", [9, 0, 0, 0], [0, 0, 0], "\x9d\x01\x2a", [0x40, 1, 0xf0, 0])),
      ["webp", 320, 240],
    );
  });

  it("refuses other formats, broken headers, huge sizes and huge files", () => {
    for (const other of [
      "<svg xmlns='http://www.w3.org/2000/svg'/>",
      "\0\0\0\x18ftypheic",
      "BM\0\0",
      "II*\0",
      "",
      "GIF",
      "%PDF-1.7",
    ])
      assert.equal(read(bytes(other)), "image-unsupported", JSON.stringify(other));
    const broken: Uint8Array[] = [
      png(0, 10),
      png(1920, 1080).subarray(0, 20),
      bytes("\x89PNG\r\n\x1a\n", uint32(13), "tEXt", uint32(10), uint32(10)),
      jpeg([0xff]),
      jpeg([0xff, 0xe1, 0, 0], frame(640, 480)),
      jpeg([0xff, 0xda, 0, 4, 1, 1], frame(640, 480)),
      jpeg([0xff, 0xe1, 0xff, 0xff], frame(640, 480)),
      jpeg([0xff, 0xe0, 0, 2], [0, 0]),
      jpeg(frame(640, 0)),
      bytes("GIF89a", [1]),
      riff("VP8X"),
      riff("ABCD", [1, 2, 3, 4]),
      riff("VP8 ", [9, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0x40, 1, 0xf0, 0]),
    ];
    for (const [index, each] of broken.entries())
      assert.equal(read(each), "image-broken", String(index));
    assert.equal(read(png(60_000, 60_000)), "image-too-many-pixels");
    assert.equal(read(png(0xffffffff, 0xffffffff)), "image-too-many-pixels");
    assert.equal(
      read(riff("VP8X", [10, 0, 0, 0, 0, 0, 0, 0], [255, 255, 255], [255, 255, 255])),
      "image-too-many-pixels",
    );
    assert.equal(read(new Uint8Array(MAX_IMAGE_BYTES + 1)), "image-too-large");
  });

  it("is read from any bytes without an exception, also in the middle of a buffer", () => {
    const starts = [
      png(9, 9),
      jpeg(exif, frame(9, 9)),
      bytes("GIF89a", [9, 0, 9, 0]),
      riff("VP8L", [0, 0, 0, 0], [0x2f]),
      bytes(""),
    ];
    const any = fc
      .tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 64 }), fc.nat(40))
      .map(([start, rest, cut]) => {
        const whole = Uint8Array.from([7, 7, ...start.subarray(0, cut), ...rest]);
        return whole.subarray(2);
      });
    fc.assert(
      fc.property(any, (given) => {
        const header = readImageHeader(given);
        if (header.ok) assert.ok(header.value.width > 0 && header.value.height > 0);
        assert.deepEqual(header, readImageHeader(Uint8Array.from(given)));
      }),
      { numRuns: 500 },
    );
  });
});

describe("base64", () => {
  it("goes both ways, for any length, and is null for other text", () => {
    const long = Uint8Array.from({ length: 50_001 }, (_, index) => (index * 7) & 0xff);
    for (const given of [new Uint8Array(), Uint8Array.of(0), Uint8Array.of(255, 254), long]) {
      assert.equal(toBase64(given), Buffer.from(given).toString("base64"));
      assert.deepEqual(fromBase64(toBase64(given)), given);
    }
    assert.equal(fromBase64("no base64!"), null);
  });
});
