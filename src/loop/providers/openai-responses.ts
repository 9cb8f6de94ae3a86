import { asList, asText, isObject } from "@deputize/ground";
import { buildResponsesBody } from "./build-responses-body.ts";
import { createResponsesDecoder } from "./decode-responses-stream.ts";
import type { Provider } from "./provider.ts";

export function createOpenaiResponsesProvider(): Provider {
	return {
		buildBody: buildResponsesBody,
		buildHeaders: (key) => (key === "" ? {} : { authorization: `Bearer ${key}` }),
		createDecoder: createResponsesDecoder,
		toStreamEvents(whole) {
			const response = isObject(whole["response"]) ? whole["response"] : whole;
			if (!Array.isArray(response["output"]) && response["object"] !== "response") return undefined;
			const status = asText(response["status"]) || "completed";
			return [
				{ type: "response.created", response },
				...asList(response["output"]).map((item) => ({ type: "response.output_item.done", item })),
				{ type: status === "completed" ? "response.completed" : `response.${status}`, response },
			];
		},
	};
}
