/**
 * How strongly the context suggests a value.
 * `certain`: a password option, an environment assignment, the user part of a URL. `stated`: a quoted string or a line
 * of its own after the name; `quoted`: the former of these. `code`: bare text that may as well be an identifier.
 */
export type ValueContext = "certain" | "quoted" | "stated" | "code";
