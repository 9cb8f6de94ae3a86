import { describe, expect, it } from "vitest";
import { sanitizeOutput } from "../sanitize-output.ts";

const frames = (count: number, frame: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => frame(index));

describe("stack traces", () => {
	it.each([
		["JavaScript", (index: number) => `    at step${index} (/srv/app/src/a.js:${index + 1}:5)`],
		["Java", (index: number) => `\tat org.example.App.step${index}(App.java:${index + 1})`],
		["Ruby", (index: number) => `\tfrom /srv/app/a.rb:${index + 1}:in 'step${index}'`],
		["PHP", (index: number) => `#${index} /srv/app/a.php(${index + 1}): step${index}()`],
		[
			"Python",
			(index: number) => `  File "/srv/app/a.py", line ${index + 1}, in step${index}\n    step${index}()`,
		],
	])("shortens a long one of %s and says how much is missing", (_, frame) => {
		const text = `Error: deep\n${frames(200, frame).join("\n")}\nafter`;
		const result = sanitizeOutput(text);
		expect(result.split("\n").length).toBeLessThan(40);
		expect(result).toMatch(/\[\d+ stack lines left out\]/);
		expect(result.startsWith(`Error: deep\n${frame(0)}`)).toBe(true);
		expect(result.endsWith(`${frame(199)}\nafter`)).toBe(true);
		expect(sanitizeOutput(result)).toBe(result);
	});

	it("leaves an ordinary one alone", () => {
		const text = `Error: x\n${frames(20, (index) => `    at f${index} (a.js:${index + 1}:1)`).join("\n")}`;
		expect(sanitizeOutput(text)).toBe(text);
	});
});
