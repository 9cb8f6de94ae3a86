import { expect, it } from "vitest";
import { createProgramOutlet } from "../../../src/loop/program-outlet.ts";

/** What a program writes in which way for the same turn. */
function write(
	options: { plain?: boolean; structured?: boolean; reportsEvents?: boolean },
	failure?: string,
) {
	let written = "";
	const outlet = createProgramOutlet({
		write: (text) => {
			written += text;
			return undefined;
		},
		...{ plain: false, structured: false, reportsEvents: false, ...options },
	});
	const turn = outlet.openTurn();
	turn.start("r1");
	turn.reasoning("");
	turn.reasoning("Hm.");
	turn.text("é");
	expect([turn.partialText(), turn.hasOutput()]).toEqual(["é", true]);
	turn.end();
	if (options.structured) outlet.structured('{"a":"é"}');
	if (failure !== undefined) outlet.reportFailure(failure, false);
	outlet.close(failure === undefined ? undefined : { code: "E", message: failure });
	outlet.toolResult("late", "is not written any more");
	return options.plain ? written : [...written.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
}

it.each([
	["text as it comes", { plain: true }, "é\n\n=== [ DONE ] ===\n"],
	["a JSON value and no text", { plain: true, structured: true }, '{"a":"\\u00e9"}\n\n=== [ DONE ] ===\n'],
	["events", {}, ["response_start", "reasoning_content", "output_text", "block_end", "response_end"]],
	[
		"events with a JSON value and no text",
		{ structured: true },
		["reasoning_content", "output_structured", "response_end"],
	],
])("a program writes %s", (_name, options, expected) => {
	expect(write(options)).toEqual(expected);
});

it.each([
	["not as done", { plain: true }, "é"],
	[
		"as an event",
		{},
		["response_start", "reasoning_content", "output_text", "block_end", "error", "response_end"],
	],
	[
		"in the form that our own runtime reads, too",
		{ reportsEvents: true },
		[
			"response_start",
			"reasoning_content",
			"output_text",
			"block_end",
			"child_event",
			"error",
			"response_end",
		],
	],
])("a program ends a failure %s", (_name, options, expected) => {
	expect(write(options, "no")).toEqual(expected);
});
