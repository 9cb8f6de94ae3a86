import { join } from "node:path";
import { isObject, type JsonObject } from "@deputize/ground";
import { isLoginToken, type LentLogin, type LoginFormat, lendLoginFile } from "../lend-login-file.ts";

/** A key in pi's file may be a command that the next pi runs, so a confined child gets one login of it. */
export function lendLogin(options: {
	readonly agentDirectory: string;
	readonly runDirectory: string;
	/** Undefined when only pi can tell: all logins are lent. */
	readonly provider: string | undefined;
	readonly timeoutMs: number;
	readonly now?: number;
}): LentLogin | undefined {
	const { agentDirectory, runDirectory, provider, ...times } = options;
	return lendLoginFile({
		...times,
		real: join(agentDirectory, "auth.json"),
		format: createFormat(provider),
		ownCopy: join(runDirectory, "auth.json"),
		sharedCopy: join(agentDirectory, "deputize", "lent-logins", `${provider ?? "all"}.json`),
	});
}

function createFormat(provider: string | undefined): LoginFormat {
	return {
		select(logins) {
			if (provider === undefined) return logins;
			return Object.hasOwn(logins, provider) ? { [provider]: logins[provider] } : {};
		},
		endsAt: (logins) =>
			Math.min(
				...Object.values(logins)
					.filter(isOauth)
					.map((login) => login.expires),
			),
		takeBack(real, copy) {
			const refreshed = Object.entries(real).flatMap(([name, login]) => {
				const newer = copy[name];
				if (!isOauth(login) || !isOauth(newer) || newer.expires <= login.expires) return [];
				const { access, refresh, expires } = newer;
				return [[name, { ...login, access, refresh, expires }] as const];
			});
			return refreshed.length === 0 ? undefined : { ...real, ...Object.fromEntries(refreshed) };
		},
	};
}

interface OauthLogin extends JsonObject {
	readonly access: string;
	readonly refresh: string;
	readonly expires: number;
}

function isOauth(login: unknown): login is OauthLogin {
	return (
		isObject(login) &&
		login["type"] === "oauth" &&
		isLoginToken(login["access"]) &&
		isLoginToken(login["refresh"]) &&
		Number.isFinite(login["expires"])
	);
}
