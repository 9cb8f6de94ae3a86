export interface NavigatorToolStep {
	readonly tool: string;
	readonly args: Readonly<Record<string, unknown>>;
	/** The text the tool returned, errors included. */
	readonly text: string;
	readonly isError: boolean;
}
