import type { ChangedFile, ChangeSet } from "../contract/changes.ts";
import type { ChangeRecord } from "./change-record.ts";
import { listTouched } from "./list-touched.ts";

export async function toChangeSet(state: string, record: ChangeRecord): Promise<ChangeSet> {
	const { id, origin, project, isolation, createdAt, changedAt } = record;
	const { ignored, repositories, wasInterrupted } = record;
	const applied = new Set(record.applied.map((path) => Buffer.from(path, "latin1").toString("utf8")));
	const files = record.files.map((file): ChangedFile => ({ ...file, isApplied: applied.has(file.path) }));
	const sum = (field: "added" | "removed"): number =>
		files.reduce((total, file) => total + (file[field] ?? 0), 0);
	return {
		...{ id, state: record.state, origin, project, isolation, createdAt, changedAt },
		...{ files, added: sum("added"), removed: sum("removed"), ignored, repositories, wasInterrupted },
		bytes: (await listTouched(state)).bytes,
	};
}
