/** Why changes cannot be made, found or applied: what happened, and what to do. Nothing was changed in the project. */
export class ChangesError extends Error {
	override readonly name = "ChangesError";
}
