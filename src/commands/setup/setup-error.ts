/** A part could not be installed or removed. The message says why and what to do. */
export class SetupError extends Error {}
