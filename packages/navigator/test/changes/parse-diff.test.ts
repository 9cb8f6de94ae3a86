import { describe, expect, it } from "vitest";
import { parseDiff } from "../../changes/parse-diff.ts";

const DIFF = `Please review:
diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -3,2 +3,3 @@ context
 same
-old
+new
+more
\\ No newline at end of file
diff --git a/gone.ts b/gone.ts
--- a/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
--- not a header
`;

describe("parseDiff", () => {
	it("numbers added lines in the new file and removed ones in the old", () => {
		expect(parseDiff(DIFF)).toEqual([
			{
				path: "src/a.ts",
				isDeleted: false,
				added: [
					{ line: 4, text: "new" },
					{ line: 5, text: "more" },
				],
				removed: [{ line: 4, text: "old" }],
			},
			{ path: "gone.ts", isDeleted: true, added: [], removed: [{ line: 1, text: "-- not a header" }] },
		]);
	});

	it("finds none in prose, and takes half a diff", () => {
		expect(parseDiff("Review --- this +++ and @@ that")).toBeUndefined();
		expect(parseDiff("@@ -1 +1 @@\n+x")).toEqual([]);
		expect(parseDiff("+++ b/x\n@@ -1 +1 @@")).toMatchObject([{ path: "x", added: [] }]);
	});
});
