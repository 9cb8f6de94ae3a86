import { toShownPath } from "../workspace/file-uri.ts";
import type { ActionAnswer, ActionContext } from "./action-context.ts";

export async function showServers(context: ActionContext): Promise<ActionAnswer> {
	const described = await context.describeServers();
	const running = context.pool.running();
	const servers = described.map((server) => {
		const roots = running
			.filter(({ id }) => id === server.id)
			.map(({ root }) => toShownPath(context.workspace, root));
		return { ...server, running: roots };
	});
	const installed = servers.filter((server) => server.installed);
	const missing = servers.filter((server) => !server.installed);
	const text = [
		`servers: ${installed.length} available, ${missing.length} missing, ${running.length} running`,
		...installed.map(
			(server) =>
				`  ${server.id}  ${server.languages.join(" ")}  ${server.source}: ${server.command}${server.running.length > 0 ? `  (running for ${server.running.join(", ")})` : ""}`,
		),
		...missing.map(
			(server) => `  ${server.id}  ${server.languages.join(" ")}  ${server.reason ?? "missing"}`,
		),
	].join("\n");
	return { text, details: { action: "servers", servers } };
}

export async function restartServers(context: ActionContext): Promise<ActionAnswer> {
	const { server } = context.request;
	const stopped = await context.pool.stop(server);
	const what = server === undefined ? "all servers" : server;
	return {
		text: `restart: stopped ${stopped} of ${what}; each starts again when it is asked next.`,
		details: { action: "restart", stopped },
	};
}
