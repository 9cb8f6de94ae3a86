import { isLoopback, listServiceModels, type ServedModels } from "../config/list-service-models.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { CUSTOM_SERVICE, isLocalService } from "../contract/model-services.ts";
import { splitModel } from "../contract/split-model.ts";
import { type LoopModel, listServices, resolveLoopModel } from "../runtimes/loop/resolve-loop-model.ts";
import type { CommandContext } from "./command-context.ts";

/** A service that could be asked from here, and what it serves. */
export interface FoundService {
	readonly service: string;
	readonly address: string;
	/** The variable or command its key is from; null when none is sent. */
	readonly keyFrom: string | null;
	readonly models: readonly string[];
	/** Why it did not say what it serves. */
	readonly problem?: string;
}

/** Where nothing listens the answer is there at once; a server on a busy machine needs a moment. */
const LOCAL_MS = 5000;
const REMOTE_MS = 10_000;

/** Servers on this machine only: whoever looks at the machine must not reach out. */
export async function findLocalServers(context: CommandContext): Promise<readonly FoundService[]> {
	const local = listReachable(context).filter(({ url }) => isLoopback(url));
	const found = await Promise.all(local.map((model) => askService(model, context, LOCAL_MS)));
	return found.filter(({ models }) => models.length > 0);
}

/** Every service with a key, an address or a server here. One on this machine that does not answer is left out. */
export async function findServices(context: CommandContext): Promise<readonly FoundService[]> {
	const found = await Promise.all(
		listReachable(context).map((model) =>
			askService(model, context, isLoopback(model.url) ? LOCAL_MS : REMOTE_MS),
		),
	);
	const { models } = context.config;
	return found.filter(
		({ service, problem }) => !problem || !isLocalService(service) || Object.hasOwn(models, service),
	);
}

function listReachable({ surroundings: { env }, config: { models } }: CommandContext): readonly LoopModel[] {
	// The address set by hand is the only one then, whatever a model's name begins with.
	const names = env["DEPUTIZE_LOOP_URL"]?.trim()
		? [CUSTOM_SERVICE]
		: listServices({ models }).map(([service]) => service);
	return names.flatMap((service) => {
		try {
			return [resolveLoopModel(`${service}/any`, { env, models })];
		} catch (error) {
			if (error instanceof DelegationError) return [];
			throw error;
		}
	});
}

async function askService(
	model: LoopModel,
	context: CommandContext,
	timeoutMs: number,
): Promise<FoundService> {
	const { url, name, apiKeyName, keyCommand } = model;
	const service = splitModel(name).provider;
	const keyFrom = keyCommand ? `models.${service}.keyCommand` : apiKeyName || null;
	const served = await listServed(model, service, context, timeoutMs);
	return "problem" in served
		? { service, address: url, keyFrom, models: [], problem: served.problem }
		: { service, address: url, keyFrom, models: served };
}

async function listServed(
	model: LoopModel,
	service: string,
	{ surroundings }: CommandContext,
	timeoutMs: number,
): Promise<ServedModels> {
	try {
		const { keyCommand, apiKeyName } = model;
		const { readKeyCommand } = await import("../runtimes/loop/read-key-command.ts");
		const key = keyCommand
			? await readKeyCommand(keyCommand, service, surroundings)
			: (surroundings.env[apiKeyName]?.trim() ?? "");
		return await listServiceModels(model, key, timeoutMs);
	} catch (error) {
		if (error instanceof DelegationError) return { problem: error.message };
		throw error;
	}
}
