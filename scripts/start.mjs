// `npm start -- run explorer "…"`: make the clone ready if it is not, then be the deputize command.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { build } from "./build.mjs";
import { bundledNode, installDependencies, root } from "./install-dependencies.mjs";

await installDependencies(root, "dependencies");
await build();

const cli = spawn(bundledNode(), [join(root, "dist", "cli.js"), ...process.argv.slice(2)], {
	stdio: "inherit",
	cwd: process.env.INIT_CWD ?? process.cwd(),
});
// A terminal sends Ctrl-C to the whole group: the command handles it and we wait for its own ending.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
	process.on(signal, () => signal !== "SIGINT" && cli.kill(signal));
cli.on("exit", (code, signal) => {
	process.exitCode = code ?? (signal === "SIGINT" ? 130 : 143);
});
