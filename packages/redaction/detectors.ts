import { type Detector, NO_HITS } from "./detector.ts";
import { FORMS_AND_PLACES } from "./find-by-literal.ts";
import { createHitSearch } from "./find-hits.ts";
import { ASSIGNMENTS } from "./places/assignments/find-assignments.ts";
import { COOKIES } from "./places/find-cookies.ts";
import { INSERTED_SECRETS } from "./places/find-inserted-secrets.ts";
import { KUBERNETES_SECRETS } from "./places/find-kubernetes-secrets.ts";
import { LABELLED_VALUES } from "./places/find-labelled-values.ts";
import { NESTED_SECRETS } from "./places/find-nested-secrets.ts";
import { RECOVERY_CODES } from "./places/find-recovery-codes.ts";
import { TABLE_SECRETS } from "./places/find-table-secrets.ts";
import { createEncodedSecrets, type FindSecrets } from "./shapes/find-encoded-secrets.ts";
import { PRIVATE_KEYS } from "./shapes/find-private-keys.ts";
import { STRUCTURES } from "./shapes/find-structures.ts";

/** Every way of finding secrets in plain text. A new one is added here; a new rule goes to the file of its shape or place. */
const PLAIN: readonly Detector[] = [
	PRIVATE_KEYS,
	FORMS_AND_PLACES,
	ASSIGNMENTS,
	STRUCTURES,
	COOKIES,
	KUBERNETES_SECRETS,
	NESTED_SECRETS,
	TABLE_SECRETS,
	INSERTED_SECRETS,
	RECOVERY_CODES,
	LABELLED_VALUES,
];

/** Where the literals of each detector are. Encoded secrets have none. */
export const findHits = createHitSearch(PLAIN);

/** All of them on a text that was decoded, and on what is encoded in it. */
function findInDecoded(depth: number): FindSecrets {
	const encoded = createEncodedSecrets(findInDecoded, depth);
	return (text, deadline) => {
		const hits = findHits(text);
		const plain = PLAIN.flatMap(({ find }, own) => find(text, hits[own] ?? NO_HITS, deadline));
		return plain.length > 0 ? plain : encoded.find(text, NO_HITS, deadline);
	};
}

export const DETECTORS: readonly Detector[] = [...PLAIN, createEncodedSecrets(findInDecoded, 0)];
