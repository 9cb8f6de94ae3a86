import type { Detector } from "./detector.ts";
import { FORMS_AND_PLACES } from "./find-by-literal.ts";
import { ASSIGNMENTS } from "./places/assignments/find-assignments.ts";
import { COOKIES } from "./places/find-cookies.ts";
import { INSERTED_SECRETS } from "./places/find-inserted-secrets.ts";
import { KUBERNETES_SECRETS } from "./places/find-kubernetes-secrets.ts";
import { NESTED_SECRETS } from "./places/find-nested-secrets.ts";
import { TABLE_SECRETS } from "./places/find-table-secrets.ts";
import { PRIVATE_KEYS } from "./shapes/find-private-keys.ts";
import { STRUCTURES } from "./shapes/find-structures.ts";

/** Every way of finding secrets. A new one is added here; a new rule goes to the file of its shape or place. */
export const DETECTORS: readonly Detector[] = [
	PRIVATE_KEYS,
	FORMS_AND_PLACES,
	ASSIGNMENTS,
	STRUCTURES,
	COOKIES,
	KUBERNETES_SECRETS,
	NESTED_SECRETS,
	TABLE_SECRETS,
	INSERTED_SECRETS,
];
