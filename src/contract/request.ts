/** What a caller asks for. Any other field is refused by name. */
export interface DelegationRequest {
	/** Name of an agent, as `discoverAgents` and `deputize agents` list it. */
	readonly agent: string;
	/** The whole task: a child does not see the conversation of its parent. */
	readonly task: string;
	/** Continue this session of the same agent in the same directory. */
	readonly sessionId?: string | undefined;
}
