/** A command line that cannot be understood. The message says what to type instead. */
export class UsageError extends Error {}
