import type { EvalTask } from "./evalTask.ts";

const shape = `/// A rectangle.
pub struct Rect {
    pub width: u32,
    pub height: u32,
}

impl Rect {
    pub fn area(&self) -> u32 {
        self.width + self.height
    }

    pub fn is_square(&self) -> bool {
        self.width == self.height
    }
}

pub fn largest(rects: &[Rect]) -> Option<&Rect> {
    rects.iter().max_by_key(|rect| rect.area())
}
`;

/** Changes to a file in Rust. */
export const RUST_TASKS: readonly EvalTask[] = [
  {
    name: "rust: fix a formula",
    path: "shape.rs",
    before: shape,
    after: shape.replace("self.width + self.height", "self.width * self.height"),
    request: "area() adds. It must multiply self.width by self.height.",
    holds: ["self.width * self.height"],
    lacks: ["self.width + self.height"],
  },
  {
    name: "rust: add a method",
    path: "shape.rs",
    before: shape,
    after: shape.replace(
      "    pub fn is_square",
      "    pub fn perimeter(&self) -> u32 {\n        2 * (self.width + self.height)\n    }\n\n    pub fn is_square",
    ),
    request:
      "Add a method perimeter(&self) -> u32 to Rect between area and is_square: 2 * (self.width + self.height).",
    holds: ["pub fn perimeter(&self) -> u32", "2 * (self.width + self.height)"],
    lacks: [],
  },
  {
    name: "rust: derive",
    path: "shape.rs",
    before: shape,
    after: shape.replace("pub struct Rect", "#[derive(Clone, Debug)]\npub struct Rect"),
    request:
      "Derive Clone and Debug for Rect, with the attribute between the comment and the struct.",
    holds: ["#[derive(Clone, Debug)]"],
    lacks: [],
  },
  {
    name: "rust: remove a function",
    path: "shape.rs",
    before: shape,
    after: shape.slice(0, shape.indexOf("\npub fn largest")),
    request: "Remove the function largest.",
    holds: [],
    lacks: ["largest", "max_by_key"],
  },
];
