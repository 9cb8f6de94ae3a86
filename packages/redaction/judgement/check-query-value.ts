import { isWordChain } from "./check-chosen-words.ts";
import { hasRandomLetters, looksGenerated, looksLikeRandomLetters } from "./check-randomness.ts";
import { isHarmlessValue } from "./reject-value.ts";

/** Names that also have harmless meanings in an address, so that their value must look generated. */
const AMBIGUOUS = /^(?:key|code|auth|sign|ticket|session|sessionid|session_id|sid|state|st|seed|salt|otp)$/i;
const PAGING =
	/(?:^|[-_.])(?:page|next|prev|continuation|cursor|public)(?:$|[-_.])|(?:page|next|continuation|sync)_?token$|hash$/i;
const SIGNATURE = /(?:^|[-_.])sig(?:nature)?$/i;

/** Signatures are public outside of addresses that they open. */
export function isSignatureName(name: string): boolean {
	return SIGNATURE.test(name);
}

/** A parameter of an address, still URL-encoded. Badges carry public tokens. */
export function isQuerySecret(value: string, name: string, before: string): boolean {
	return (
		hasSecretForm(value, name) &&
		!isHarmlessValue(value) &&
		!/[$(){}]/.test(value) &&
		!/badge|\.svg\?/.test(before)
	);
}

function hasSecretForm(value: string, name: string): boolean {
	if (value.length < 4 || PAGING.test(name)) return false;
	if (SIGNATURE.test(name)) return value.length >= 16 && /[\d%=]/.test(value);
	if (AMBIGUOUS.test(name)) return value.length >= 16 && /\d/.test(value) && looksGenerated(value);
	if (/pass|pwd/i.test(name)) return value.length >= 5 && !/^[a-z]{1,7}$/.test(value);
	if (/^[0-9a-f]{32,}$/i.test(value)) return true;
	if (isWordChain(value, 4)) return true;
	if (!/\d/.test(value)) return value.length >= 8 && hasRandomLetters(value);
	return value.length >= 6 && /[A-Za-z]/.test(value) && !isNameWithDigit(value);
}

function isNameWithDigit(value: string): boolean {
	return /^[a-z]{1,12}\d$/i.test(value) && !looksLikeRandomLetters(value.slice(0, -1));
}
