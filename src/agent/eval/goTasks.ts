import type { EvalTask } from "./evalTask.ts";

const queue = `package queue

// Queue holds numbers in the order they came.
type Queue struct {
	items []int
}

// Push adds a number at the end.
func (q *Queue) Push(item int) {
	q.items = append(q.items, item)
}

// Pop takes the first number.
func (q *Queue) Pop() int {
	first := q.items[0]
	q.items = q.items[1:]
	return first
}

func max(a, b int) int {
	if a < b {
		return a
	}
	return b
}
`;

/** Changes to a file in Go. */
export const GO_TASKS: readonly EvalTask[] = [
  {
    name: "go: fix a comparison",
    path: "queue.go",
    before: queue,
    after: queue.replace("if a < b {", "if a > b {"),
    request: "max returns the smaller number. Fix its comparison to a > b.",
    holds: ["if a > b {"],
    lacks: ["if a < b {"],
  },
  {
    name: "go: add a method",
    path: "queue.go",
    before: queue,
    after: queue.replace(
      "func max(",
      "// Len is the number of items.\nfunc (q *Queue) Len() int {\n\treturn len(q.items)\n}\n\nfunc max(",
    ),
    request: "Add a method Len() int to *Queue, directly after Pop. It returns len(q.items).",
    holds: ["func (q *Queue) Len() int {", "return len(q.items)"],
    lacks: [],
  },
  {
    name: "go: add a field",
    path: "queue.go",
    before: queue,
    after: queue.replace("\titems []int\n", "\titems []int\n\tlimit int\n"),
    request: "Add a field limit of type int to Queue, after items.",
    holds: ["limit int"],
    lacks: [],
  },
  {
    name: "go: rename a variable",
    path: "queue.go",
    before: queue,
    after: queue
      .replace("first := q.items[0]", "head := q.items[0]")
      .replace("return first", "return head"),
    request: "Rename the variable first in Pop to head.",
    holds: ["head := q.items[0]", "return head"],
    lacks: ["first :=", "return first"],
  },
];
