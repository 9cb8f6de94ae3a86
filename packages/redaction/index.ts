export { collectSecrets } from "./collect-secrets.ts";
export { findOpenEnd } from "./find-open-end.ts";
export type { RedactedText } from "./redacted-text.ts";
export { type SanitizeOptions, sanitizeOutput, sanitizeValue } from "./sanitize-output.ts";
