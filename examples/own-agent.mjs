// An agent of one's own, from a directory of one's own, and what it would be given. Starts nothing.
// `node examples/own-agent.mjs`
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeDelegation } from "deputize";

const directory = mkdtempSync(join(tmpdir(), "agents-"));
writeFileSync(
	join(directory, "changelog-writer.md"),
	`---
name: changelog-writer
description: Draft a changelog entry
readonly: true
tools: read, grep, bash
---
You draft one changelog entry from what you read.
`,
);

const plan = await describeDelegation(
	{ agent: "changelog-writer", task: "Draft the entry for the next release" },
	{ agentsDirectories: [directory], offline: true },
);
rmSync(directory, { recursive: true });

// bash was asked for and is not granted: the agent is readonly.
assert.deepEqual(plan.tools, ["read", "grep"]);
assert.deepEqual(plan.withheld, ["bash"]);
console.log(`tools: ${plan.tools.join(", ")}; withheld: ${plan.withheld.join(", ")}`);
