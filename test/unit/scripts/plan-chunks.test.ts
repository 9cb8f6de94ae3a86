import { describe, expect, it } from "vitest";
// @ts-expect-error a script without declarations
import { planChunks } from "../../../scripts/plan-chunks.mjs";

interface Module {
	readonly size: number;
	readonly imports: readonly string[];
	readonly dynamicImports: readonly string[];
	readonly packages: readonly string[];
	readonly isEntry: boolean;
	readonly quick?: string;
}

const module = (given: Partial<Module>): Module => ({
	size: 100,
	imports: [],
	dynamicImports: [],
	packages: [],
	isEntry: false,
	...given,
});
const plan = (modules: Readonly<Record<string, Partial<Module>>>, most: number): string[][] =>
	(planChunks as (modules: Map<string, Module>, most: number) => string[][])(
		new Map(Object.entries(modules).map(([id, given]) => [id, module(given)])),
		most,
	).map((ids) => ids.toSorted());

describe("which modules share a file", () => {
	it("joins what is loaded together, and leaves entry points alone", () => {
		const modules = {
			one: { isEntry: true, imports: ["a"] },
			two: { isEntry: true, imports: ["a"] },
			a: { imports: ["b"] },
			b: {},
		};
		expect(plan(modules, 1)).toEqual([["a", "b"]]);
	});

	it("never makes anybody load a package he did not load", () => {
		const modules = {
			one: { isEntry: true, imports: ["small", "heavy"] },
			two: { isEntry: true, imports: ["small"] },
			three: { isEntry: true, imports: ["heavy"] },
			small: {},
			heavy: { packages: ["undici"] },
		};
		expect(plan(modules, 1)).toEqual(expect.arrayContaining([["small"], ["heavy"]]));
	});

	it("does not join what would be loaded in vain by the megabyte", () => {
		const modules = {
			one: { isEntry: true, imports: ["small", "large"] },
			two: { isEntry: true, imports: ["small"] },
			three: { isEntry: true, imports: ["large"] },
			small: {},
			large: { size: 2_000_000 },
		};
		expect(plan(modules, 1)).toHaveLength(2);
	});

	it("makes one file of all that a quick entry point shares, and adds nothing to it", () => {
		const modules = {
			quick: { isEntry: true, quick: "command", imports: ["a", "b"] },
			one: { isEntry: true, imports: ["a", "c"] },
			two: { isEntry: true, imports: ["b", "c"] },
			a: {},
			b: {},
			c: { size: 1 },
		};
		expect(plan(modules, 1)).toEqual([["a", "b"], ["c"]]);
	});

	const programs = {
		command: { isEntry: true, quick: "command", imports: ["a"] },
		parent: { isEntry: true, quick: "extension", imports: ["a", "b", "c", "d", "e"] },
		child: { isEntry: true, quick: "child", imports: ["a", "d", "f"] },
		worker: { isEntry: true, imports: ["e"] },
		one: { isEntry: true, imports: ["b", "large"] },
		two: { isEntry: true, imports: ["c", "large"] },
		large: { size: 500_000 },
		a: {},
		b: { size: 40_000 },
		c: {},
		f: { size: 40_000 },
	};

	it("gives other quick entry points a file each and one for what they share, of which a small program loads no more than it needs", () => {
		const modules = { ...programs, d: { size: 11_000 }, e: { size: 11_000 } };
		expect(plan(modules, 1)).toEqual(expect.arrayContaining([["a"], ["b", "c"], ["d"], ["e"]]));
	});

	it("puts what quick entry points share with others into one file when it is little", () => {
		const modules = { ...programs, d: { size: 4000 }, e: { size: 4000 } };
		expect(plan(modules, 1)).toEqual(expect.arrayContaining([["a"], ["b", "c"], ["d", "e"]]));
	});
});
