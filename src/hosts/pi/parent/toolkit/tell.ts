import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { REPORT_MESSAGE } from "../custom-types.ts";
import type { Toolkit } from "./toolkit.ts";

/**
 * Without a terminal of our own: a notification where somebody listens, a message in the stream of events, and
 * stderr where stdout is only for the model's last answer.
 */
export function tell(
	{
		pi,
		context,
	}: Pick<Toolkit, "pi"> & { readonly context: Pick<ExtensionContext, "hasUI" | "mode" | "ui"> },
	text: string,
	kind: "info" | "error",
): void {
	if (context.hasUI) context.ui.notify(text, kind);
	else if (context.mode === "print") process.stderr.write(`${text}\n`);
	else pi.sendMessage({ customType: REPORT_MESSAGE, content: text, display: true });
}
