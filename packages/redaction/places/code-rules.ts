import type { ContextRule } from "./context-rule.ts";

const SHORT_NAMES = ["otp", "pin", "tan", "puk"];
/** The short names are parts of many words, so that what follows counts. */
const AFTER_SHORT_NAME = [":", "=", " ", '"', "'", "*", "_code", "-code"];

const CODE = String.raw`(?<secret>\d{4,10}|\d{3}[ -]\d{3,4}|(?=[A-Z-]{0,8}\d)[A-Z0-9]{4}-[A-Z0-9]{4}|[A-Z]{4}-[A-Z]{4})(?![\w%]|[.,:/-]\d)`;
const PURPOSE = String.raw`(?:[ \t](?:for|to|of|on|f\u00fcr|der|des|vom|zur|zum|pour|du|de|del|della|per|para|do|da|voor|till|til)(?:[ \t][^\s:=,;.!?]{1,30}){1,4})?`;
const SAYS = String.raw`["'\`*]{0,3}${PURPOSE}(?:[ \t]{0,4}[:=\uff1a]|[ \t]{1,2}(?:is|was|ist|lautet|est|es|\u00e8|\u00e9|jest|\u00e4r|er)(?:[ \t]now)?[ \t]?:?(?=[ \t])|[ \t]{1,2}#(?=\d))[ \t]{0,4}["'\`*]{0,3}`;

/** Digits that let somebody in once. A code without such a name is a state, an error or a place. */
export const CODE_RULES: readonly ContextRule[] = [
	{
		kind: "one-time-code",
		literals: [
			"verification",
			"login",
			"log-in",
			"sign-in",
			"signin",
			"security",
			"confirmation",
			"authentication",
			"authenticator",
			"one-time",
			"one time",
			"one_time",
			"onetime",
			"2fa",
			"mfa",
			"two-factor",
			"two_factor",
			"sms",
			"device",
			"user",
			"access",
			"door",
			"gate",
			"alarm",
			"t\u00fcr",
			"tresor",
			"zugangs",
			"whatsapp",
			"signal",
			"telegram",
		].flatMap((owner) => [" ", "_", "-", ""].map((joint) => `${owner}${joint}code`)),
		pattern: new RegExp(String.raw`[a-z0-9\u00fc]{2,6}[a-z _-]{0,14}code${SAYS}${CODE}`, "iy"),
	},
	{
		kind: "your-code",
		literals: [" code is", " code:"],
		pattern: new RegExp(
			String.raw`(?<=[Yy]our (?!(?:build|zip|post|postal|area|country|error|exit|status|promo|discount|coupon|booking|referral|source|class|team|project)\b)(?:[\w.-]{2,20} ){0,2}[\w.-]{2,20}) code(?: is:?|:) {1,2}${CODE}`,
			"iy",
		),
	},
	{
		kind: "your-code-translated",
		literals: [" code lautet", " code ist", " code est", "digo es", "codice \u00e8", "digo \u00e9"],
		pattern: new RegExp(
			String.raw`(?<=(?:[Ii]hr|[Dd]ein|[Vv]otre|[Tt]on|[Ss]u|[Tt]u|[Ii]l tuo|[Ss]eu)(?: [\p{L}.-]{1,20}){0,3})(?: code|digo|codice) (?:lautet|ist|est|es|\u00e8|\u00e9):? ${CODE}`,
			"iuy",
		),
	},
	// Their literals begin in the middle of a word, because ` is` and ` to` are everywhere.
	{
		kind: "code-before-name",
		literals: ["s your "],
		pattern:
			/(?<=(?<![\w.-])(?<secret>(?:[A-Z]-)?\d{4,8}|\d{3}[ -]\d{3}) i)s your (?:[\w.-]{2,20} ){0,3}(?:code|otp|pin|passcode)(?![\w-])/iy,
	},
	{
		kind: "code-used-as",
		literals: ["as your "],
		pattern:
			/(?<=(?:[Uu]se|[Ee]nter) (?<secret>(?=[A-Z-]{0,8}\d)[A-Z0-9]{3,4}-[A-Z0-9]{3,4}|\d{4,8}) )as your (?:[\w.-]{2,20} ){0,3}(?:code|otp|pin|passcode)(?![\w-])/y,
	},
	{
		kind: "code-to-use",
		literals: ["o verify", "o log in", "o sign in", "o confirm", "o authenticate", "o complete"],
		pattern: /(?<=(?:[Uu]se|[Ee]nter) (?:code )?(?<secret>\d{5,8}) t)o [a-z]/y,
	},
	{
		kind: "one-time-code-translated",
		literals: [
			"tigungscode",
			"sicherheitscode",
			"anmeldecode",
			"einmalcode",
			"code de v",
			"code de s",
			"digo de ",
		],
		pattern: new RegExp(
			String.raw`(?:(?:tigungs|sicherheits|anmelde|einmal)code|code de (?:v\u00e9rification|s\u00e9curit\u00e9)|digo de (?:verificaci\u00f3n|seguridad|verifica\u00e7\u00e3o|seguran\u00e7a))${SAYS}${CODE}`,
			"iy",
		),
	},
	{
		kind: "pin",
		literals: SHORT_NAMES.flatMap((name) => AFTER_SHORT_NAME.map((after) => `${name}${after}`)),
		// `tan` is a function, `pin code` in some countries a part of an address, `Erlang/OTP` a platform.
		pattern: new RegExp(
			String.raw`(?:(?<![A-Z0-9/])(?:O(?:TP|tp)(?:[ _-]?[cC]ode)?|P(?:IN|in)(?: code(?= for))?|P(?:UK|uk)|TAN)|(?<![A-Za-z0-9/])(?:otp(?:[ _-]?code)?|pin|puk))${SAYS}${CODE}`,
			"y",
		),
	},
	{
		kind: "bare-pin",
		literals: ["pin ", "puk ", "tan ", "passcode ", "tresor-code ", "t\u00fcrcode "],
		pattern:
			/(?<![A-Z0-9/])(?:PIN|PUK|TAN|[pP]asscode|Tresor-Code|T\u00fcrcode)[ \t]{1,2}(?<secret>\d{4,8})(?![\w%]|[.,:/-]\d)/y,
		accept: (secret, { input, index }) =>
			OPENED_BY_PIN.test(input.slice(Math.max(0, index - 60), index + 60).replace(secret, "")),
	},
];

/** What people open with such a number. Without it, the number may be that of a contact, or a postal code. */
const OPENED_BY_PIN =
	/sim(?![a-z])|p[iu]k(?![a-z])[ :]{1,2}\d|card|karte|tarjeta|carte|cart\u00e3o|voicemail|mailbox|alarm|door|tresor|ipad|t\u00fcr|unlock|phone|handy|bank|tresor|tablet|\u00fcberweisung|konto/i;
