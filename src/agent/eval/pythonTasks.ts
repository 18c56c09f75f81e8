import type { EvalTask } from "./evalTask.ts";

const stats = `"""Small statistics."""


def mean(values):
    return sum(values) / len(values)


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle]


class Counter:
    def __init__(self):
        self.counts = {}

    def add(self, word):
        self.counts[word] = self.counts.get(word, 0) + 1

    def most(self):
        return max(self.counts, key=self.counts.get)
`;

/** Changes to a file in Python. */
export const PYTHON_TASKS: readonly EvalTask[] = [
  {
    name: "python: guard against nothing",
    path: "stats.py",
    before: stats,
    after: stats.replace(
      "def mean(values):\n",
      "def mean(values):\n    if not values:\n        return 0.0\n",
    ),
    request: "mean() must return 0.0 for an empty list. Test that with `if not values:` first.",
    holds: ["if not values:", "return 0.0"],
    lacks: [],
  },
  {
    name: "python: rename a parameter",
    path: "stats.py",
    before: stats,
    after: stats
      .replace("def add(self, word):", "def add(self, key):")
      .replace(
        "self.counts[word] = self.counts.get(word, 0) + 1",
        "self.counts[key] = self.counts.get(key, 0) + 1",
      ),
    request: "Rename the parameter word of Counter.add to key, in its body too.",
    holds: ["def add(self, key):", "self.counts.get(key, 0)"],
    lacks: ["word"],
  },
  {
    name: "python: add a function",
    path: "stats.py",
    before: stats,
    after: stats.replace(
      "class Counter:",
      "def spread(values):\n    return max(values) - min(values)\n\n\nclass Counter:",
    ),
    request: "Add a function spread(values) after median. It returns max(values) - min(values).",
    holds: ["def spread(values):", "max(values) - min(values)"],
    lacks: [],
  },
  {
    name: "python: add a method",
    path: "stats.py",
    before: stats,
    after: `${stats}\n    def clear(self):\n        self.counts = {}\n`,
    request: "Add a method clear(self) to Counter as its last one. It sets self.counts to {}.",
    holds: ["def clear(self):"],
    lacks: [],
  },
];
