import { execProgram } from "./exec-program.ts";

// Ends at once: an idle connection kept for a next turn must not keep the process.
process.exit(await execProgram(process.argv.slice(2), process.env));
