import { expect, test } from "vitest";
import { createEntryTable } from "../../../src/batch/ledger/create-entry-table.ts";
import { toEntryId } from "../../../src/batch/ledger/ledger-entry.ts";
import { selectTodo } from "../../../src/batch/select-todo.ts";
import { toTaskKey } from "../../../src/batch/to-task-key.ts";

const tasks = Array.from({ length: 50 }, (_, at) => {
	const task = `Question ${at}`;
	return {
		id: `t${at}`,
		key: toTaskKey({ agentHash: "a", task, model: undefined, occurrence: 0 }),
		agent: "a",
		task,
	};
});
const entries = createEntryTable();
for (const [at, kind] of [[1], [2], [3, "network"], [4, "crashed"], [5, "network"]] as const)
	entries.set(tasks[at]?.key ?? "", {
		...{ id: toEntryId(`t${at}`), status: kind === undefined ? "done" : "failed", attempt: 1, costUsd: 0 },
		...{ durationMs: 1, finishedAt: 0, ...(kind === undefined ? {} : { kind }) },
	});
const idsOf = (options: Parameters<typeof selectTodo>[2]) =>
	[...selectTodo(tasks, entries, options)].map(({ id }) => id);

test("what is missing comes in the order of the input, and is counted", () => {
	const todo = selectTodo(tasks, entries, {});
	expect(todo).toMatchObject({ total: 50, todo: 45, done: 2, failed: 3, finished: 5 });
	expect([...todo].map(({ id }) => id)).toEqual(
		tasks.flatMap(({ id }, at) => (at >= 1 && at <= 5 ? [] : [id])),
	);
	expect(todo.todoChars).toBe([...todo].reduce((sum, { task }) => sum + task.length, 0));
});

test.each([
	[true, ["t0", "t3", "t4", "t5", "t6"]],
	[["network"], ["t0", "t3", "t5", "t6", "t7"]],
	[["t4"], ["t0", "t4", "t6", "t7", "t8"]],
	[
		["crashed", "t5", "t1"],
		["t0", "t4", "t5", "t6", "t7"],
	],
])("failed tasks run again by kind and by id: %j", (retryFailed, ids) => {
	expect(idsOf({ retryFailed, limit: 5 })).toEqual(ids);
	expect(selectTodo(tasks, entries, { retryFailed, limit: 5 }).todo).toBe(5);
});

test("a sample is the same each time, is part of a larger one, and does not grow by what was done of it", () => {
	const ten = selectTodo(tasks, createEntryTable(), { sample: 10 });
	const ids = [...ten].map(({ id }) => id);
	expect(ids).toHaveLength(10);
	expect(ids).not.toEqual(tasks.slice(0, 10).map(({ id }) => id));
	const twenty = [...selectTodo(tasks, createEntryTable(), { sample: 20 })].map(({ id }) => id);
	expect(twenty).toHaveLength(20);
	expect(twenty).toEqual(expect.arrayContaining(ids));
	const done = createEntryTable();
	for (const { id, key } of [...ten].slice(0, 4))
		done.set(key, {
			id: toEntryId(id),
			status: "done",
			attempt: 1,
			costUsd: 0,
			durationMs: 1,
			finishedAt: 0,
		});
	expect([...selectTodo(tasks, done, { sample: 10 })].map(({ id }) => id)).toEqual(ids.slice(4));
	expect(selectTodo(tasks, createEntryTable(), { sample: 1000 }).todo).toBe(50);
});
