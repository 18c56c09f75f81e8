import { runProcess } from "./headless/runProcess.ts";

void runProcess();
