/** The embedded navigator, which answers without a language model. */
export const OFFLINE_MODEL = "offline/navigator";

export function isOfflineModel(model: string | undefined): boolean {
	return model?.startsWith("offline/") ?? false;
}
