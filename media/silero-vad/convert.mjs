// Makes voiceModel.bin of Silero's own model: node convert.mjs silero_vad.onnx
// The file lies in src/silero_vad/data of https://github.com/snakers4/silero-vad. Its weights for
// 16 kHz become half precision, in the order below; the basis of the Fourier transform is computed
// at run time.
import fs from "node:fs";
import path from "node:path";

const ORDER = [
  ...[0, 1, 2, 3].flatMap((layer) => [
    `encoder.${layer}.reparam_conv.weight`,
    `encoder.${layer}.reparam_conv.bias`,
  ]),
  "decoder.rnn.weight_ih",
  "decoder.rnn.weight_hh",
  "decoder.rnn.bias_ih",
  "decoder.rnn.bias_hh",
  "decoder.decoder.2.weight",
  "decoder.decoder.2.bias",
];
/** The numbers of ONNX's fields: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. */
const [GRAPH, NODE, OUTPUT, ATTRIBUTE, TENSOR, SUBGRAPH, RAW_DATA] = [7, 1, 2, 5, 5, 6, 9];

/**
 * The fields of a message that are bytes: texts and messages.
 * @param {Buffer} bytes
 * @param {number} field
 * @returns {Buffer[]}
 */
function fields(bytes, field) {
  const found = [];
  let at = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = number();
    if (key % 8 === 0) number();
    else if (key % 8 === 2) {
      const length = number();
      if (Math.floor(key / 8) === field) found.push(bytes.subarray(at, at + length));
      at += length;
    } else at += key % 8 === 1 ? 8 : 4;
  }
  return found;
}

/** @type {Map<string, Buffer>} */
const tensors = new Map();
/** @param {Buffer} graph */
function collect(graph) {
  for (const node of fields(graph, NODE))
    for (const attribute of fields(node, ATTRIBUTE)) {
      const [name = ""] = fields(node, OUTPUT).map(String);
      for (const tensor of fields(attribute, TENSOR)) {
        const [data] = fields(tensor, RAW_DATA);
        // The other branch is for 8 kHz.
        if (data && name.includes("then_branch")) tensors.set(name, data);
      }
      for (const subgraph of fields(attribute, SUBGRAPH)) collect(subgraph);
    }
}

/**
 * The bits of a number in half precision, rounded.
 * @param {number} value
 */
function half(value) {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65_504) return sign | 0x7bff;
  if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  const bits = Math.round((size / 2 ** exponent - 1) * 1024);
  return sign | (((exponent + 15) << 10) + bits);
}

for (const graph of fields(fs.readFileSync(process.argv[2] ?? ""), GRAPH)) collect(graph);
const halves = ORDER.flatMap((wanted) => {
  const [, data] = [...tensors].find(([name]) => name.endsWith(`__${wanted}`)) ?? [];
  if (!data) throw new Error(`The model has no ${wanted}.`);
  return Array.from({ length: data.length / 4 }, (_, at) => half(data.readFloatLE(at * 4)));
});
const out = Buffer.alloc(halves.length * 2);
for (const [at, bits] of halves.entries()) out.writeUInt16LE(bits, at * 2);
fs.writeFileSync(path.join(import.meta.dirname, "voiceModel.bin"), out);
