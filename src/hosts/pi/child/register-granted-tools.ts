import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";
import type { LoadEventStream } from "./load-event-stream.ts";
import { registerFind } from "./register-find.ts";

const PACKAGE_TOOLS = ["web_search", "fetch_content", "get_search_content", "convert_content", "lsp"];

/** Tools and the model a child needs beyond pi's own, loaded only when they were granted. */
export async function registerGrantedTools(
	pi: ExtensionAPI,
	grant: ChildGrant,
	loadEventStream: LoadEventStream,
): Promise<void> {
	if (grant.tools.includes("find")) registerFind(pi);
	if (grant.tools.some((name) => PACKAGE_TOOLS.includes(name))) {
		const { registerPackageTools } = await import("./register-package-tools.ts");
		await registerPackageTools(pi, grant);
	}
	if (grant.offline) {
		const { registerOfflineProvider } = await import("./register-offline-provider.ts");
		registerOfflineProvider(pi, grant, await loadEventStream());
	}
}
