import { asList, asObject, asText, type JsonObject, parseJson } from "@deputize/ground";
import type { NavigatorCall, NavigatorToolStep } from "@deputize/navigator";

/** The navigator uses pi's tool names; the loop's tools do the same work under other names and shapes. */
export const NAVIGATOR_NAMES: Readonly<Record<string, readonly string[]>> = {
	bash_read: ["read"],
	bash_ripgrep: ["grep"],
	bash_find: ["find", "ls"],
};

const DEFAULT_MATCHES = 100;
const DEFAULT_PATHS = 1000;
/** Marks a listing of one directory, so that its result can be distinguished from that of a search. */
const LISTING = "-maxdepth";

export function toLoopCall(call: NavigatorCall): NavigatorCall {
	const { args } = call;
	const path = asText(args["path"]) || ".";
	if (call.tool === "read") {
		const offset = typeof args["offset"] === "number" ? Math.max(0, args["offset"] - 1) : 0;
		return { tool: "bash_read", args: { filepath: path, limit: args["limit"] ?? 0, offset } };
	}
	if (call.tool === "grep") {
		return {
			tool: "bash_ripgrep",
			args: {
				pattern: asText(args["pattern"]),
				files: path,
				extra_args: listGrepOptions(args),
				limit: args["limit"] ?? DEFAULT_MATCHES,
			},
		};
	}
	if (call.tool === "find") return { tool: "bash_find", args: findArguments(path, args) };
	if (call.tool === "ls") {
		return {
			tool: "bash_find",
			args: { path, extra_args: [LISTING, "1"], limit: args["limit"] ?? DEFAULT_PATHS },
		};
	}
	return call;
}

function listGrepOptions(args: JsonObject): readonly string[] {
	return [
		...(args["ignoreCase"] === true ? ["--ignore-case"] : []),
		...(args["literal"] === true ? ["--fixed-strings"] : []),
		...(asText(args["glob"]) === "" ? [] : ["--glob", asText(args["glob"])]),
		...(typeof args["context"] === "number" && args["context"] > 0
			? ["--context", String(args["context"])]
			: []),
	];
}

/** A pattern with a slash is about the path, one without about the name. */
function findArguments(path: string, args: JsonObject): JsonObject {
	const pattern = asText(args["pattern"]) || "*";
	const limit = args["limit"] ?? DEFAULT_PATHS;
	const name = pattern.replace(/^\*\*\//, "");
	if (!name.includes("/")) return { path, name, type_filter: "f", limit };
	return { path, extra_args: ["-path", `*${name.replaceAll("**/", "*")}`], type_filter: "f", limit };
}

/** What a tool answered, in the words the navigator reads. */
export function toNavigatorStep(
	tool: string,
	args: JsonObject,
	text: string,
	isError: boolean,
): NavigatorToolStep {
	const reply = asObject(parseJson(text));
	const results = asList(reply["results"]).map(String);
	const path = asText(args["path"]) || asText(args["files"]) || asText(args["filepath"]);
	if (tool === "bash_read") {
		const offset = typeof args["offset"] === "number" ? args["offset"] + 1 : 1;
		return {
			tool: "read",
			args: { path, offset, limit: args["limit"] },
			text: asText(reply["content"]) || text,
			isError,
		};
	}
	const cut = reply["has_more"] === true ? "\n\n[Result limit reached]" : "";
	if (tool === "bash_ripgrep") {
		const hits = results.map((line) => line.replace(/^(.+?):(\d+):/, "$1:$2: "));
		// Paths are relative to the working directory already.
		return { tool: "grep", args: { pattern: args["pattern"] }, text: hits.join("\n") + cut, isError };
	}
	if (tool === "bash_find") {
		const isListing = asList(args["extra_args"])[0] === LISTING;
		return {
			tool: isListing ? "ls" : "find",
			args: { pattern: args["name"] },
			text: results.join("\n") + cut,
			isError,
		};
	}
	return { tool, args, text, isError };
}
