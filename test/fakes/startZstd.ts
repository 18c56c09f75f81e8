import { init } from "@bokuweb/zstd-wasm";

let started: Promise<void> | null = null;

/** Starts the build's packer, once for all tests: started a third time it packs what nobody can unpack. */
export function startZstd(): Promise<void> {
  started ??= init();
  return started;
}
