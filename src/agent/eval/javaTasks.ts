import type { EvalTask } from "./evalTask.ts";

const account = `package bank;

public class Account {
    private int balance;

    public int getBalance() {
        return balance;
    }

    public void deposit(int amount) {
        balance += amount;
    }

    public boolean withdraw(int amount) {
        balance -= amount;
        return true;
    }
}
`;

/** Changes to a file in Java. */
export const JAVA_TASKS: readonly EvalTask[] = [
  {
    name: "java: refuse an overdraft",
    path: "Account.java",
    before: account,
    after: account.replace(
      "    public boolean withdraw(int amount) {\n",
      "    public boolean withdraw(int amount) {\n        if (amount > balance) {\n            return false;\n        }\n",
    ),
    request:
      "withdraw must first return false where amount > balance, in a block with braces, and change nothing then.",
    holds: ["if (amount > balance) {", "return false;"],
    lacks: [],
  },
  {
    name: "java: add a method",
    path: "Account.java",
    before: account,
    after: account.replace(
      "    public void deposit",
      "    public boolean isEmpty() {\n        return balance == 0;\n    }\n\n    public void deposit",
    ),
    request: "Add a method public boolean isEmpty() before deposit. It returns balance == 0.",
    holds: ["public boolean isEmpty()", "return balance == 0;"],
    lacks: [],
  },
  {
    name: "java: change a type",
    path: "Account.java",
    before: account,
    after: account
      .replace("private int balance;", "private long balance;")
      .replace("public int getBalance()", "public long getBalance()"),
    request: "Make the field balance, and what getBalance returns, a long.",
    holds: ["private long balance;", "public long getBalance()"],
    lacks: ["int balance", "int getBalance"],
  },
  {
    name: "java: add a constant",
    path: "Account.java",
    before: account,
    after: account.replace(
      "    private int balance;",
      "    public static final int LIMIT = 1000;\n    private int balance;",
    ),
    request: "Add a constant public static final int LIMIT = 1000; as the first member of Account.",
    holds: ["public static final int LIMIT = 1000;"],
    lacks: [],
  },
];
