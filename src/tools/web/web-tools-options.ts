import type { Environment } from "@deputize/ground";
import type { WebConfig } from "../../contract/config.ts";
import type { FileRules } from "../../contract/file-rules.ts";
import type { ConvertDocument } from "./pages/fetched-document.ts";

export interface WebSessionOptions {
	readonly config: WebConfig;
	readonly env: Environment;
	/** Home directory of the user; the local index is kept below its cache directory. */
	readonly home: string;
	/** Which files a search of the project's documents may open; the rules for everybody when it is absent. */
	readonly files?: Partial<FileRules> & { readonly agentDirectory: string };
	/** Converts a document to Markdown. Without it, documents are refused. */
	readonly convertDocument?: ConvertDocument;
	readonly resolve?: (hostname: string) => Promise<readonly { address: string; family: 4 | 6 }[]>;
	/** Other addresses for GitHub's site, raw files and interface: an enterprise server, or a test. */
	readonly githubEndpoints?: { readonly web: string; readonly raw: string; readonly api: string };
	readonly readerEndpoint?: string;
}

export interface WebToolsOptions extends WebSessionOptions {
	/** Where the texts of this session are kept; created on demand, for the owner only. */
	readonly storeDirectory: string;
	/** Where the stores of all sessions are, when there are others: swept when this session first stores something. */
	readonly storesRoot?: string;
}
