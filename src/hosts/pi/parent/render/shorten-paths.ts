import type { RedactedText } from "@deputize/redaction";
import type { DelegationDetails } from "../../../../contract/result.ts";

/** The same details with paths as a person in this directory writes them. What the model gets stays whole. */
export function shortenPaths(
	details: DelegationDetails,
	place: { readonly cwd: string; readonly home: string },
): DelegationDetails {
	const { error, results } = details;
	const shorten = (text: string): string =>
		text.replaceAll(`${place.cwd}/`, "").replaceAll(`${place.home}/`, "~/");
	return {
		...details,
		...(error ? { error: { ...error, message: shorten(error.message) as RedactedText } } : {}),
		results: results.map((result) => ({
			...result,
			...(result.sessionFile ? { sessionFile: shorten(result.sessionFile) } : {}),
		})),
	};
}
