import { spawn } from "node:child_process";

const server = spawn("deputize", ["mcp"], { stdio: "inherit" });
server.on("error", () => {
	process.stderr.write("deputize is not installed: npm install -g deputize\n");
	process.exitCode = 1;
});
server.on("exit", (code) => {
	process.exitCode = code ?? 1;
});
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => server.kill(name));
