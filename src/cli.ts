import { runProcess } from "./cli/runProcess.ts";

void runProcess();
