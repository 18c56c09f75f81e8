import assert from "node:assert/strict";
import { readSignature } from "../../../src/demo/signature.ts";

describe("signature", () => {
  const cases: readonly (readonly [string, string, readonly string[], string | null])[] = [
    ["export function area(width: number, height = 2): number {", "area", ["width: number", "height?"], "number"],
    [
      "async function load<T extends { a: string }>(url: string, ...rest: T[]): Promise<T> {",
      "load",
      ["url: string", "rest?: T[]"],
      "Promise<T>",
    ],
    ["const mid = (a: Point, b: Point): Point =>", "mid", ["a: Point", "b: Point"], "Point"],
    ["const id = x =>", "id", ["x"], null],
    ["function pick({ a, b: c = 1, ...rest }, [d]) {", "pick", ["a,c,rest?", "d?"], null],
    ["constructor(readonly center: Point, private radius?: number) {", "constructor", ["center: Point", "radius?: number"], null],
    [
      "on(event: string, listener: (a: number, b: string) => void): void {",
      "on",
      ["event: string", "listener: (a: number, b: string) => void"],
      "void",
    ],
    ['def f(self, path: str = "a,b)", *args, **kwargs) -> dict[str, int]:', "f", ["path?: str", "args?", "kwargs?"], "dict[str, int]"],
    ["def g():", "g", [], null],
  ];
  for (const [head, name, parameters, returns] of cases) {
    it(`reads ${head}`, () => {
      const signature = readSignature(head, name);
      const shown = signature?.parameters.map(
        ({ names, type, optional }) => `${names.join()}${optional ? "?" : ""}${type === null ? "" : `: ${type}`}`,
      );
      assert.deepEqual(shown, parameters);
      assert.equal(signature?.returns, returns);
    });
  }

  it("says nothing of what has no parameter list", () => {
    assert.equal(readSignature("class A {", "A"), null);
    assert.equal(readSignature("function broken(a, b", "broken"), null);
  });
});
