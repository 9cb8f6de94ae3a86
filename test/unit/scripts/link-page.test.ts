import { expect, it } from "vitest";
// @ts-expect-error a script without declarations
import { linkPage, toRepositoryAddress } from "../../../scripts/link-page.mjs";

const PACKED = ["README.md", "docs/reference/files.md", "docs/reference/exec.md"];
const link = (text: string, page = "README.md"): string =>
	linkPage(text, {
		page,
		isPacked: (path: string) => PACKED.includes(path),
		repository: "https://git.example/d/d",
		version: "1.2.3",
	});

it.each([
	["[a](docs/reference/files.md#x)", "[a](docs/reference/files.md#x)"],
	["[a](docs/view.md)", "[a](https://git.example/d/d/blob/v1.2.3/docs/view.md)"],
	["[a](docs/view.md#b) and [c](#d)", "[a](https://git.example/d/d/blob/v1.2.3/docs/view.md#b) and [c](#d)"],
	["![x](docs/images/a.svg)", "![x](https://git.example/d/d/raw/v1.2.3/docs/images/a.svg)"],
	["[pi](https://pi.example/x.md) [m](mailto:a@b)", "[pi](https://pi.example/x.md) [m](mailto:a@b)"],
	[
		"[![x](docs/a.svg)](docs/view.md)",
		"[![x](https://git.example/d/d/raw/v1.2.3/docs/a.svg)](https://git.example/d/d/blob/v1.2.3/docs/view.md)",
	],
])("%s becomes %s", (text, expected) => {
	expect(link(text)).toBe(expected);
});

it("takes links from the directory of their page", () => {
	expect(link("[a](exec.md) [b](../view.md)", "docs/reference/files.md")).toBe(
		"[a](exec.md) [b](https://git.example/d/d/blob/v1.2.3/docs/view.md)",
	);
});

it("makes the address for people from the one for Git", () => {
	expect(toRepositoryAddress({ repository: { url: "git+https://git.example/d/d.git" } })).toBe(
		"https://git.example/d/d",
	);
});
