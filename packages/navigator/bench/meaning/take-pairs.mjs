// What people wrote about a piece of code, beside the code: comments over definitions, docstrings, test titles, messages.

const MIN_DOC_CHARS = 20;
const MAX_DOC_CHARS = 400;
const MAX_BODY_LINES = 38;
const MAX_MEAN_LINE_CHARS = 200;
const NOT_A_DESCRIPTION =
	/copyright|licen[sc]e|eslint|istanbul|@ts-|jshint|TODO|FIXME|generated|sourceMapp|prettier-ignore|webpackChunk/i;
const DEFINES =
	/^\s*(?:export\s|pub\s|func\s|fn\s|type\s|async\s|function|class|static|struct|impl|trait|enum|const\s+\w+\s*=\s*(?:async\s*)?(?:function|\()|[\w$]+\s*\([^)]*\)\s*\{)/;

export function takePairs(path, text) {
	const lines = text.split("\n");
	if (text.length / lines.length > MAX_MEAN_LINE_CHARS) return [];
	return /\.py$/.test(path) ? fromPython(lines) : fromBraces(lines);
}

function cleanDoc(doc) {
	return doc
		.replace(/```[\s\S]*?```|<pre>[\s\S]*?<\/pre>/g, " ")
		.replace(/<[^>]{1,60}>|https?:\S+|[`*_#]+/g, " ")
		.replace(/\{@\w+\s+([^}]*)\}/g, "$1")
		.replace(/\s+/g, " ")
		.trim();
}

function pair(doc, code) {
	const clean = cleanDoc(doc);
	const isProse = (clean.match(/[a-zA-Z]{2,}/g) ?? []).length >= 4 && /^[\x20-\x7e]*$/.test(clean);
	if (clean.length < MIN_DOC_CHARS || clean.length > MAX_DOC_CHARS || !isProse) return [];
	if (NOT_A_DESCRIPTION.test(clean)) return [];
	const sentence = /^.{20,260}?[.!?](?:\s|$)/.exec(clean)?.[0] ?? clean.slice(0, 260);
	return [[sentence.trim(), code]];
}

function fromPython(lines) {
	const found = [];
	for (let at = 0; at < lines.length; at += 1) {
		if (!/^\s*(?:async\s+)?(?:def|class)\s+\w/.test(lines[at])) continue;
		let end = at;
		while (end < Math.min(lines.length, at + 8) && !/:\s*(?:#.*)?$/.test(lines[end])) end += 1;
		const opened = /^\s*[rubRUB]*("""|''')(.*)$/.exec(lines[end + 1] ?? "");
		if (opened === null) continue;
		const [, quote, rest] = opened;
		const body = [rest];
		let close = end + 1;
		if (!rest.includes(quote)) {
			for (close += 1; close < lines.length && !lines[close].includes(quote); close += 1)
				body.push(lines[close].trim());
		}
		const doc = body
			.join("\n")
			.split(quote)[0]
			.split(/\n\s*(?:\n|:param|Args:|Parameters|>>>|@param|Returns)/)[0];
		const code = [...lines.slice(at, end + 1), ...lines.slice(close + 1, close + 1 + MAX_BODY_LINES)];
		found.push(...pair(doc, code.join("\n")));
	}
	return found;
}

function fromBraces(lines) {
	const found = [];
	for (let at = 0; at < lines.length; at += 1) {
		const line = lines[at];
		if (/^\s*\/\*\*/.test(line)) {
			const { doc, next } = blockComment(lines, at);
			let start = next;
			while (start < lines.length && lines[start].trim() === "") start += 1;
			if (/[({=]|class|struct|enum|fn|func/.test(lines[start] ?? ""))
				found.push(...pair(doc, bodyFrom(lines, start, /^\s*\/\*\*/)));
			at = next - 1;
		} else if (/^\s*\/\/[/!]?\s+\w/.test(line)) {
			let next = at;
			const doc = [];
			for (; next < lines.length && /^\s*\/\/[/!]?/.test(lines[next]); next += 1)
				doc.push(lines[next].replace(/^\s*\/\/[/!]?\s?/, ""));
			if (DEFINES.test(lines[next] ?? ""))
				found.push(
					...pair(doc.join("\n").split(/\n\s*\n/)[0], bodyFrom(lines, next, /^\s*\/\/[/!]?\s+[A-Z]/)),
				);
			at = next - 1;
		} else found.push(...fromLine(lines, at));
	}
	return found;
}

function fromLine(lines, at) {
	const test = /^\s*(?:it|test|t\.test|specify)\(\s*(['"`])(.{12,160}?)\1\s*,/.exec(lines[at]);
	if (test !== null) return pair(test[2], lines.slice(at + 1, at + 30).join("\n"));
	const message =
		/(?:new \w*Error|Error|warn|fail|panic|reject|raise \w+|Errorf)\(\s*(?:\w+,\s*)?(['"`])([^'"`]{24,180})\1/.exec(
			lines[at],
		);
	if (message === null) return [];
	const around = lines.slice(Math.max(0, at - 14), at + 8).join("\n");
	return pair(message[2].replace(/\$\{[^}]*\}|%\w/g, "x"), around.replace(message[2], " "));
}

function blockComment(lines, at) {
	let next = at;
	const body = [];
	for (; next < lines.length && !lines[next].includes("*/"); next += 1) body.push(lines[next]);
	body.push((lines[next] ?? "").split("*/")[0]);
	const doc = body
		.map((row) => row.replace(/^\s*\/\*\*+/, "").replace(/^\s*\*\s?/, ""))
		.join("\n")
		.split(/\n\s*@(?!summary|description|desc|classdesc)/)[0]
		.replace(/^\s*@(?:summary|description|desc|classdesc)\s*/gm, "")
		.split(/\n\s*\n\s*\n|<pre|<code|```|\n\s*Examples?:/)[0];
	return { doc, next: next + 1 };
}

function bodyFrom(lines, start, stop) {
	let end = start + 1;
	while (end < lines.length && end < start + MAX_BODY_LINES && !stop.test(lines[end])) end += 1;
	return lines.slice(start, end).join("\n");
}
