import type { JsonSchema } from "../../contract/tool.ts";
import { isObject } from "../../json/json-values.ts";
import { EXIT_BAD_INPUT, LoopError } from "../loop-error.ts";
import { resolveReference } from "./normalize-schema.ts";

const MAX_MESSAGES = 8;

export type ValidateValue = (value: unknown) => string | undefined;

/** A check against the caller's own schema. What it returns is for the model: where, and what is wrong. */
export async function createValidator(schema: JsonSchema): Promise<ValidateValue> {
	const { Validator } = await import("@cfworker/json-schema");
	const draft = chooseDraft(schema);
	try {
		// References are resolved while validating: find broken ones before a request is paid for.
		checkReferences(schema, schema);
		const validator = new Validator(schema as object, draft, false);
		validator.validate({});
		return (value) => {
			const { valid, errors } = validator.validate(value);
			if (valid) return undefined;
			// The outermost messages only repeat that something inside is wrong.
			const leaves = errors.filter(
				(error) => !["properties", "items", "$ref", "allOf"].includes(error.keyword),
			);
			const told = (leaves.length > 0 ? leaves : errors).slice(0, MAX_MESSAGES);
			return told.map((error) => `${toPath(error.instanceLocation)}: ${error.error}`).join(" ");
		};
	} catch (error) {
		throw new LoopError(
			"invalid_payload",
			`Invalid payload: "output_schema" cannot be used: ${(error as Error).message}`,
			{
				exitCode: EXIT_BAD_INPUT,
			},
		);
	}
}

function checkReferences(node: unknown, root: JsonSchema): void {
	if (Array.isArray(node)) for (const child of node) checkReferences(child, root);
	if (!isObject(node)) return;
	const reference = node["$ref"];
	if (
		typeof reference === "string" &&
		/^#(\/|$)/.test(reference) &&
		resolveReference(root, reference) === undefined
	) {
		throw new Error(`${reference} refers to nothing`);
	}
	for (const child of Object.values(node)) checkReferences(child, root);
}

function toPath(location: string): string {
	return location === "#" ? "the answer" : location.replace(/^#/, "");
}

function chooseDraft(schema: JsonSchema): "4" | "7" | "2019-09" | "2020-12" {
	const declared = String(schema["$schema"] ?? "");
	if (declared.includes("draft-04")) return "4";
	if (/draft-0[67]/.test(declared)) return "7";
	return declared.includes("2019-09") ? "2019-09" : "2020-12";
}
