import { expect, it } from "vitest";
import { collectBytes } from "../../wire/collect-bytes.ts";

async function* send(...pieces: readonly string[]) {
	for (const piece of pieces) yield Buffer.from(piece);
}

it("collects all of it up to the limit, exactly", async () => {
	const whole = await collectBytes(send("ab", "cd"), 4);
	expect(whole).toEqual({ bytes: Buffer.from("abcd"), isCut: false });
	expect(await collectBytes([], 0)).toEqual({ bytes: Buffer.alloc(0), isCut: false });
});

it("keeps the part before the limit and reads no further", async () => {
	let isAsked = false;
	async function* sendTooMuch() {
		yield Buffer.from("abc");
		yield Buffer.from("def");
		isAsked = true;
		yield Buffer.from("ghi");
	}
	expect(await collectBytes(sendTooMuch(), 4)).toEqual({ bytes: Buffer.from("abcd"), isCut: true });
	expect(isAsked).toBe(false);
});

it("takes a limit that depends on the first bytes", async () => {
	const limit = (first: Uint8Array) => (first[0] === 0x7b ? 3 : 1);
	expect((await collectBytes(send("{ab", "c"), limit)).bytes.toString()).toBe("{ab");
	expect((await collectBytes(send("xab"), limit)).bytes.toString()).toBe("x");
});
