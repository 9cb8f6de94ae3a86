/** What a caller asks for, after validation. */
export interface DelegationRequest {
	readonly agent: string;
	readonly task: string;
	/** Continue this session of the same agent in the same directory. */
	readonly sessionId?: string;
}
