/** `provider/name`; the provider is empty when the model is named alone. Names may contain more slashes. */
export function splitModel(model: string): { readonly provider: string; readonly name: string } {
	const slash = model.indexOf("/");
	return { provider: model.slice(0, Math.max(0, slash)), name: model.slice(slash + 1) };
}
