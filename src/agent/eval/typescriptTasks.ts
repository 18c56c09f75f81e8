import type { EvalTask } from "./evalTask.ts";

const cart = `export interface Item {
  readonly name: string;
  readonly price: number;
  readonly count: number;
}

/** The sum of all items. */
export function total(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.price, 0);
}

export class Cart {
  private readonly items: Item[] = [];

  add(item: Item): void {
    this.items.push(item);
  }

  clear(): void {
    this.items.length = 0;
  }
}
`;

/** Changes to a file in TypeScript. */
export const TYPESCRIPT_TASKS: readonly EvalTask[] = [
  {
    name: "typescript: fix a sum",
    path: "src/cart.ts",
    before: cart,
    after: cart.replace("sum + item.price, 0", "sum + item.price * item.count, 0"),
    request: "total() forgets item.count. Multiply each item's price by its count there.",
    holds: ["item.count"],
    lacks: ["sum + item.price, 0"],
  },
  {
    name: "typescript: add a method",
    path: "src/cart.ts",
    before: cart,
    after: cart.replace(
      "  clear(): void {",
      "  size(): number {\n    return this.items.length;\n  }\n\n  clear(): void {",
    ),
    request:
      "Add a public method size() to Cart, directly before clear(). It returns the number of items as a number.",
    holds: ["size(): number", "return this.items.length"],
    lacks: [],
  },
  {
    name: "typescript: remove a method",
    path: "src/cart.ts",
    before: cart,
    after: cart.replace("\n  clear(): void {\n    this.items.length = 0;\n  }\n", ""),
    request: "Remove the method clear() of Cart.",
    holds: [],
    lacks: ["clear()", "this.items.length = 0"],
  },
  {
    name: "typescript: change a type",
    path: "src/cart.ts",
    before: cart,
    after: cart.replace(
      "  readonly count: number;",
      "  readonly count: number;\n  readonly code?: string;",
    ),
    request: "Add an optional readonly property code of type string to Item, as its last property.",
    holds: ["readonly code?: string"],
    lacks: [],
  },
];
