import { ToolError } from "@deputize/ground";

export interface Edit {
	readonly oldText: string;
	readonly newText: string;
}

/** The text with every edit made, each found in the text as it was. Throws unless each has exactly one place of its own. */
export function replaceTexts(text: string, edits: readonly Edit[], shown: string): string {
	const hasReturns = /^[^\n]*\r\n/.test(text);
	const plain = hasReturns ? text.replaceAll("\r\n", "\n") : text;
	const places = edits
		.map(({ oldText, newText }, index) => {
			const wanted = oldText.replaceAll("\r\n", "\n");
			const start = plain.indexOf(wanted);
			if (start < 0)
				throw refuseEdit(
					`edits[${index}].oldText was not found in ${shown}. It must match exactly, with all spaces and line breaks.`,
				);
			if (plain.indexOf(wanted, start + 1) >= 0)
				throw refuseEdit(
					`edits[${index}].oldText is in ${shown} more than once. Add lines around it until it is unique.`,
				);
			return { start, end: start + wanted.length, newText: newText.replaceAll("\r\n", "\n"), index };
		})
		.sort((left, right) => left.start - right.start);
	places.forEach((place, at) => {
		const before = places[at - 1];
		if (before && before.end > place.start)
			throw refuseEdit(
				`edits[${before.index}] and edits[${place.index}] overlap in ${shown}. Make them one edit.`,
			);
	});
	let at = 0;
	let changed = "";
	for (const { start, end, newText } of places) {
		changed += plain.slice(at, start) + newText;
		at = end;
	}
	changed += plain.slice(at);
	if (changed === plain) throw refuseEdit(`The edits change nothing in ${shown}.`);
	return hasReturns ? changed.replaceAll("\n", "\r\n") : changed;
}

function refuseEdit(message: string): ToolError {
	return new ToolError("EDIT_REFUSED", `${message} Nothing was written.`);
}
