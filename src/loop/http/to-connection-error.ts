import { LoopError } from "../loop-error.ts";

/** A request that got no answer, in words of whoever must act; an ending of our own keeps its reason. */
export function toConnectionError(error: Error, url: URL, signal: AbortSignal): LoopError {
	if (signal.aborted && signal.reason instanceof LoopError) return signal.reason;
	const code = (error as NodeJS.ErrnoException).code ?? "";
	const rule = RULES.find(({ codes }) => codes.test(code));
	const why = code === "" ? error.message : code;
	const sentence = rule?.explain(url) ?? `The connection to ${url.host} failed`;
	const advice = rule?.advice ?? "Check the address, and try again.";
	return new LoopError("connection_failed", `${sentence} (${why}). ${advice}`, {
		retryable: rule?.retryable ?? !code.startsWith("ERR_"),
	});
}

interface Rule {
	readonly codes: RegExp;
	readonly explain: (url: URL) => string;
	readonly advice: string;
	/** Whether the same request may succeed a moment later. */
	readonly retryable: boolean;
}

const RULES: readonly Rule[] = [
	{
		codes: /^ECONNREFUSED$/,
		explain: ({ host }) => `Nothing accepts connections at ${host}`,
		advice: "Check the address, and that the server is running.",
		retryable: true,
	},
	{
		codes: /^ENOTFOUND$/,
		explain: ({ hostname }) => `There is no host named ${hostname}`,
		advice: "Check the address, and that this machine is online.",
		retryable: false,
	},
	{
		codes: /^(?:EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
		explain: ({ host }) => `${host} cannot be reached`,
		advice: "Check the address, and that this machine is online.",
		retryable: true,
	},
	{
		codes: /^(?:ECONNRESET|EPIPE)$/,
		explain: ({ host }) => `${host} closed the connection without an answer`,
		advice: "Try again; if it stays so, check the address.",
		retryable: true,
	},
	{
		codes: /CERT|^UNABLE_TO_/,
		explain: ({ host }) => `The certificate of ${host} is not trusted`,
		advice: "If it is your own, name the file of its authority in NODE_EXTRA_CA_CERTS.",
		retryable: false,
	},
	{
		codes: /^(?:EPROTO|ERR_SSL_)/,
		explain: ({ host }) => `No encrypted connection to ${host} could be made`,
		advice: "Check whether the address should begin with http: instead of https:.",
		retryable: false,
	},
	{
		codes: /^HPE_/,
		explain: ({ host }) => `${host} did not answer in HTTP`,
		advice: "Check the address.",
		retryable: true,
	},
];
