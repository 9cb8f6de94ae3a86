/** The card of a run that a person started, in the session but not in the model's context. */
export const RUN_ENTRY = "deputize-run";
/** What is told without a terminal of our own, or when nobody asked. */
export const REPORT_MESSAGE = "deputize-report";
/** The answer of a run that no tool call waits for, as the model gets it. */
export const ANSWER_MESSAGE = "deputize-answer";
