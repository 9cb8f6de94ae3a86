/** Environment variables as a program was given them. */
export type Environment = Readonly<Record<string, string | undefined>>;
