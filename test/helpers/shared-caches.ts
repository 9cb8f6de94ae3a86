/** Names in the directory of a test run that are kept until its end, because filling them again would cost seconds. */
export const SHARED_CACHES: readonly string[] = ["jiti", "node-compile-cache", "packed", "staged"];
