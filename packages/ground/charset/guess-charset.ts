const SAMPLE_BYTES = 64 * 1024;

interface Candidate {
	readonly charset: string;
	/** Characters that are common in running text of the languages written in this charset. */
	readonly common: RegExp;
}

const EAST_ASIAN: readonly Candidate[] = [
	{ charset: "shift_jis", common: /[\u3041-\u3096\u30a1-\u30fa\u3001\u3002]/g },
	{ charset: "euc-jp", common: /[\u3041-\u3096\u30a1-\u30fa\u3001\u3002]/g },
	{
		charset: "euc-kr",
		common: /[이다는가을의에하고지도한로기사를은대인어자시리나니아서만들그해게라부일전수정있것입습]/g,
	},
	{ charset: "big5", common: /[的一是不了在人有我這個們來為與，。]/g },
	{ charset: "gb18030", common: /[的一是不了在人有我这个们来为与，。]/g },
];
const CYRILLIC: readonly Candidate[] = ["windows-1251", "koi8-r"].map((charset) => ({
	charset,
	common: /[оеаинтсрвл]/g,
}));
const MIN_SHARE = 0.08;
const MIN_CYRILLIC_SHARE = 0.35;

/**
 * For pages that name no charset and are not UTF-8. Decodes a sample in each candidate and looks at what it would
 * spell; single-byte western text is what remains.
 */
export function guessCharset(bytes: Uint8Array): string {
	const sample = bytes.subarray(0, SAMPLE_BYTES);
	return (
		selectBest(sample, EAST_ASIAN, MIN_SHARE) ??
		selectBest(sample, CYRILLIC, MIN_CYRILLIC_SHARE) ??
		"windows-1252"
	);
}

function selectBest(
	sample: Uint8Array,
	candidates: readonly Candidate[],
	minimum: number,
): string | undefined {
	const rated = candidates.map((candidate) => ({ ...candidate, share: rateCharset(sample, candidate) }));
	const [best] = rated.sort((left, right) => right.share - left.share);
	return best && best.share > minimum ? best.charset : undefined;
}

/** Share of common characters among those outside ASCII; 0 when the bytes are not valid in the charset. */
function rateCharset(sample: Uint8Array, { charset, common }: Candidate): number {
	const text = new TextDecoder(charset).decode(sample);
	const foreign = text.replace(/[\0-\x7f]+/g, "");
	if (foreign.length === 0) return 0;
	const broken = foreign.split("\ufffd").length - 1;
	// The last character of a sample may be cut in half.
	if (broken > 1 + foreign.length / 200) return 0;
	return (foreign.match(common)?.length ?? 0) / foreign.length;
}
