declare const redacted: unique symbol;

/** Text that went through `sanitizeOutput`. Only such text may reach a result, a log or a stream. */
export type RedactedText = string & { readonly [redacted]: true };
