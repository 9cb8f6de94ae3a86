import { describe, expect, it } from "vitest";
import { trimOpenDocumentRows } from "../../formats/trim-open-document-rows.ts";

const table = (name: string, body: string) => `<table:table table:name="${name}">${body}</table:table>`;
const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => `<table:table-row><c>${index}</c></table:table-row>`).join("");
const trim = (xml: string) => {
	const { xml: cut, droppedRows } = trimOpenDocumentRows(Buffer.from(xml), 2);
	return { xml: cut.toString(), droppedRows };
};

describe("trimOpenDocumentRows", () => {
	it("cuts each table after so many rows and counts the rest", () => {
		expect(trim(`<a>${table("x", rows(5))}<b/>${table("y", rows(2))}${table("z", rows(3))}</a>`)).toEqual({
			xml: `<a>${table("x", rows(2))}<b/>${table("y", rows(2))}${table("z", rows(2))}</a>`,
			droppedRows: [3, 0, 1],
		});
	});

	it("leaves a table whole when its rows stand in groups", () => {
		const grouped = `<a>${table("x", `<table:table-row-group>${rows(5)}</table:table-row-group>`)}</a>`;
		expect(trim(grouped)).toEqual({ xml: grouped, droppedRows: [0] });
	});

	it("leaves text without tables alone", () => {
		expect(trim("<a>no tables</a>")).toEqual({ xml: "<a>no tables</a>", droppedRows: [] });
	});
});
