/**
 * The task as pi is given it. pi runs a message that begins with a slash as a command of a loaded extension, past the
 * model and the granted tools, and trims what it reads first. A task is only ever words for the model.
 */
export function toPlainPrompt(task: string): string {
	return task.trimStart().startsWith("/") ? `Task: ${task}` : task;
}
