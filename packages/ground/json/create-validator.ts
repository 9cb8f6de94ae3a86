import type { ValidationResult } from "@cfworker/json-schema";
import { createWorkBudget } from "../waiting/create-work-budget.ts";
import { messageOf } from "./describe-thrown.ts";
import { isObject, type JsonObject } from "./json-values.ts";
import { resolveReference } from "./resolve-reference.ts";

const MAX_MESSAGES = 8;
/** A pattern and a value can be made for each other to compute for ever. */
const CHECK_MS = 1000;
/** For all checks of one schema together: a model may hand over as often as it likes. */
const BUDGET_MS = 3000;

export type ValidateValue = (value: unknown) => string | undefined;

type Schema = Readonly<JsonObject>;

/**
 * A check against a JSON Schema. What it returns is for the model: where, and what is wrong. Rejects with a plain
 * error when the schema itself cannot be used.
 */
export async function createValidator(schema: Schema): Promise<ValidateValue> {
	const { Validator } = await import("@cfworker/json-schema");
	const within = createWorkBudget(BUDGET_MS, CHECK_MS);
	const validator = within(
		() => {
			// References are resolved while validating: find broken ones before a request is paid for.
			checkReferences(schema, schema);
			const checking = new Validator(schema as object, chooseDraft(schema), false);
			checking.validate({});
			return checking;
		},
		() => {
			throw new Error(`an empty object was not checked against it within ${CHECK_MS} ms`);
		},
	);
	return (value) =>
		within(
			() => {
				try {
					return explain(validator.validate(value));
				} catch (error) {
					// The stack is full: the schema refers to itself, and the value is nested that deeply.
					return `the answer: it cannot be checked against the schema: ${messageOf(error)}.`;
				}
			},
			() =>
				`the answer: it was not checked against the schema within ${CHECK_MS} ms. A pattern or a reference of the schema takes too long for such a value: give a shorter or plainer one`,
		);
}

function explain({ valid, errors }: ValidationResult): string | undefined {
	if (valid) return undefined;
	// The outermost messages only repeat that something inside is wrong.
	const leaves = errors.filter((error) => !["properties", "items", "$ref", "allOf"].includes(error.keyword));
	const told = (leaves.length > 0 ? leaves : errors).slice(0, MAX_MESSAGES);
	return told.map((error) => `${toAnswerPath(error.instanceLocation)}: ${error.error}`).join(" ");
}

function checkReferences(node: unknown, root: Schema): void {
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

function toAnswerPath(location: string): string {
	return location === "#" ? "the answer" : location.replace(/^#/, "");
}

function chooseDraft(schema: Schema): "4" | "7" | "2019-09" | "2020-12" {
	const declared = String(schema["$schema"] ?? "");
	if (declared.includes("draft-04")) return "4";
	if (/draft-0[67]/.test(declared)) return "7";
	return declared.includes("2019-09") ? "2019-09" : "2020-12";
}
