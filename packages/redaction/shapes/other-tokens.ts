import { looksGenerated, looksMixed } from "../judgement/check-randomness.ts";
import { shape, shapeAround, type TokenShape, UUID } from "./token-shape.ts";

/** Smaller services, and what tokens nobody listed have in common. */
export const OTHER_TOKEN_SHAPES: readonly TokenShape[] = [
	shape("defined-networking", "dnkey-", /dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}/y),
	shape("infracost", "ico-", /ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])/y, looksGenerated),
	shapeAround("maxmind", "_mmk", { characters: /\w/, minimum: 36, maximum: 36 }, /_mmk(?![A-Za-z0-9])/y),
	shape("octopus", "API-", /API-[A-Z0-9]{25,34}(?![A-Za-z0-9])/y, looksGenerated),
	shape("rootly", "rootly_", /rootly_[0-9a-f]{64}/y),
	shape("zuplo", "zpka_", /zpka_[A-Za-z0-9]{32}_[0-9a-f]{8}/y),
	shape("endor", "endr+", /endr\+[A-Za-z0-9-]{16}/y, looksGenerated),
	shape("mailersend", "mlsn.", /mlsn\.[0-9a-f]{60,70}/y),
	shape("apify", "apify_api_", /apify_api_[A-Za-z0-9]{32,44}/y),
	shape("xata", "xau_", /xau_[A-Za-z0-9]{24,48}/y, looksGenerated),
	shape("honeybadger", ["hbp_", "hbu_"], /hb[pu]_[A-Za-z0-9]{30,48}/y, looksGenerated),
	shape("clickup", "pk_", /pk_\d{5,10}_[A-Z0-9]{30,34}(?![A-Za-z0-9])/y),
	shape("stytch", ["secret-live-", "secret-test-"], /secret-(?:live|test)-[A-Za-z0-9_=-]{30,60}/y),
	shape("twitch", "oauth:", /oauth:[a-z0-9]{30}(?![A-Za-z0-9])/y, looksGenerated),
	shape("checkly", "cu_", /cu_[0-9a-f]{32}(?![A-Za-z0-9])/y),
	shape("convex", ["prod:", "dev:"], /(?:prod|dev):[a-z]{3,16}-[a-z]{3,16}-\d{2,4}\|[A-Za-z0-9+/=]{40,200}/y),
	shape("trello", "ATTA", /ATTA[0-9a-f]{64}[0-9A-F]{8}/y),
	shape("amazon-seller", "amzn.mws.", new RegExp(`amzn\\.mws\\.${UUID}`, "y")),
	shape("amazon-login", "amzn1.oa2-cs.v1.", /amzn1\.oa2-cs\.v1\.[0-9a-f]{64}/y),
	shape("firebase-messaging", "AAAA", /AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{120,160}/y),
	shape("ntfy", "tk_", /tk_[a-z0-9]{29}(?![A-Za-z0-9])/y, looksGenerated),
	shape("ubidots", "BBFF-", /BBFF-[A-Za-z0-9]{30,40}/y),
	shape("copilot", "tid=", /tid=[0-9a-f]{32};[A-Za-z0-9=;:._-]{40,400}/y),
	shape("wise-revolut", ["oa_prod_", "oa_sand_"], /oa_(?:prod|sand)_[A-Za-z0-9_-]{30,64}/y, looksGenerated),
	shapeAround(
		"named-token",
		["_live_", "_prod_", "_secret_", "_pat_", "_sk_", "_token_", "_key_", "_api_", "_test_"],
		{ characters: /[A-Za-z0-9]/, minimum: 2, maximum: 16 },
		/_(?:live|prod|secret|pat|sk|token|key|api|test)_[A-Za-z0-9]{20,160}(?![A-Za-z0-9_])/y,
		(token) => !/^(?:pk|pub|public)/.test(token) && looksMixed(token.replace(/^.*_/, "")),
	),
];
