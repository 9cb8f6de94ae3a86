export { decodeExactly, decodeText } from "./charset/decode-text.ts";
export type { Environment } from "./environment.ts";
export { createGlob } from "./glob/create-glob.ts";
export { createPathGlob } from "./glob/create-path-glob.ts";
export { createValidator, type ValidateValue } from "./json/create-validator.ts";
export { defined, omit } from "./json/defined.ts";
export { codeOf, messageOf } from "./json/describe-thrown.ts";
export { groupBy } from "./json/group-by.ts";
export { joinTextBlocks } from "./json/join-text-blocks.ts";
export {
	asCount,
	asList,
	asObject,
	asText,
	isAmount,
	isObject,
	isShallow,
	isText,
	isTextList,
	type JsonObject,
} from "./json/json-values.ts";
export { parseJson, parseJsonObject } from "./json/parse-json.ts";
export { ifGiven, isOneOf, parseWith } from "./json/parse-with.ts";
export { readJsonFile } from "./json/read-json-file.ts";
export { rememberResults } from "./json/remember-results.ts";
export { resolveReference } from "./json/resolve-reference.ts";
export { showValue } from "./json/show-value.ts";
export { ToolError } from "./json/tool-error.ts";
export { collapseSpace } from "./markup/collapse-space.ts";
export { decodePercent } from "./markup/decode-percent.ts";
export { canonicalPath } from "./paths/canonical-path.ts";
export { describeKind } from "./paths/describe-kind.ts";
export { expandHome } from "./paths/expand-home.ts";
export { explainCurrentDirectory } from "./paths/explain-current-directory.ts";
export { findForeignDirectory } from "./paths/find-foreign-directory.ts";
export { findProject } from "./paths/find-project.ts";
export { findRepositories } from "./paths/find-repositories.ts";
export { isInside } from "./paths/is-inside.ts";
export { isSamePath } from "./paths/is-same-path.ts";
export { isWritable } from "./paths/is-writable.ts";
export { listAncestors } from "./paths/list-ancestors.ts";
export { listIfThere } from "./paths/list-if-there.ts";
export { listOwnAncestors } from "./paths/list-own-ancestors.ts";
export { makePrivateDirectory } from "./paths/make-private-directory.ts";
export { openBelow } from "./paths/open-below.ts";
export { openOwnDirectory } from "./paths/open-own-directory.ts";
export { appendToFile, openToAppend } from "./paths/open-to-append.ts";
export { readHome } from "./paths/read-home.ts";
export { readIfThere } from "./paths/read-if-there.ts";
export { RefusedPathError } from "./paths/refused-path-error.ts";
export { removeOldest } from "./paths/remove-oldest.ts";
export { stampFiles, toStamp } from "./paths/stamp-files.ts";
export { statIfThere } from "./paths/stat-if-there.ts";
export { OPEN_REGULAR, readPart, withRegularFile } from "./paths/with-regular-file.ts";
export { openReplacement, writeAtomically } from "./paths/write-atomically.ts";
export { countLines } from "./text/count-lines.ts";
export { cutBetweenWords, cutText } from "./text/cut-text.ts";
export { escapePattern } from "./text/escape-pattern.ts";
export { findNearWord } from "./text/find-near-word.ts";
export { fingerprint } from "./text/fingerprint.ts";
export { formatCount } from "./text/format-count.ts";
export { formatMebibytes } from "./text/format-mebibytes.ts";
export { lastLine } from "./text/last-line.ts";
export { matchAt } from "./text/match-at.ts";
export { cutToCells, measureCells } from "./text/measure-cells.ts";
export { spellDuration } from "./text/spell-duration.ts";
export { splitLines } from "./text/split-lines.ts";
export { cleanOutsideText, stripControlSequences } from "./text/strip-control-sequences.ts";
export { suggestWord } from "./text/suggest-word.ts";
export { toOneLine } from "./text/to-one-line.ts";
export { createComputingClock } from "./waiting/create-computing-clock.ts";
export { createDeadline, type Deadline, pauseWithin, withinDeadline } from "./waiting/create-deadline.ts";
export { createGate, type Gate } from "./waiting/create-gate.ts";
export { createSlots, type Slots, type TakeSlotOptions, takeAll } from "./waiting/create-slots.ts";
export { mapWithLimit } from "./waiting/map-with-limit.ts";
export { onAbort } from "./waiting/on-abort.ts";
export { type Once, openOnce } from "./waiting/open-once.ts";
export { parseRetryAfter } from "./waiting/parse-retry-after.ts";
export { finishSteps, mapSteps, runSteps, type Steps } from "./waiting/run-steps.ts";
export { sleep } from "./waiting/sleep.ts";
export { waitWithin } from "./waiting/wait-within.ts";
export { collectBytes } from "./wire/collect-bytes.ts";
export { isSameToken } from "./wire/is-same-token.ts";
export { createLineSplitter, peekEventType } from "./wire/jsonl.ts";
export { escapeNonAscii, renderSseEvent } from "./wire/render-sse.ts";
