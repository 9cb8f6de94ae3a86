import { SYMBOL_KIND_NAMES } from "../rendering/symbol-kinds.ts";

const SYMBOL_KINDS = SYMBOL_KIND_NAMES.map((_name, index) => index + 1);
const MARKUP = ["markdown", "plaintext"];
const DYNAMIC = { dynamicRegistration: true };

/**
 * Complete on purpose: some servers fail when a section is missing altogether. What is dynamic here is
 * answered in `answer-server-requests.ts`.
 */
export const CLIENT_CAPABILITIES = {
	general: {
		positionEncodings: ["utf-16"],
		staleRequestSupport: { cancel: true, retryOnContentModified: [] },
	},
	window: {
		workDoneProgress: true,
		showMessage: { messageActionItem: { additionalPropertiesSupport: false } },
		showDocument: { support: false },
	},
	workspace: {
		applyEdit: false,
		workspaceFolders: true,
		configuration: true,
		didChangeConfiguration: DYNAMIC,
		didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
		symbol: { dynamicRegistration: true, symbolKind: { valueSet: SYMBOL_KINDS } },
		executeCommand: DYNAMIC,
		diagnostics: { refreshSupport: true },
		workspaceEdit: {
			documentChanges: true,
			resourceOperations: ["create", "rename", "delete"],
			failureHandling: "abort",
			normalizesLineEndings: false,
		},
	},
	textDocument: {
		synchronization: { dynamicRegistration: true, didSave: true, willSave: false, willSaveWaitUntil: false },
		publishDiagnostics: {
			relatedInformation: false,
			versionSupport: true,
			codeDescriptionSupport: false,
			dataSupport: true,
			tagSupport: { valueSet: [1, 2] },
		},
		diagnostic: { dynamicRegistration: true, relatedDocumentSupport: false },
		definition: { dynamicRegistration: true, linkSupport: true },
		declaration: { dynamicRegistration: true, linkSupport: true },
		typeDefinition: { dynamicRegistration: true, linkSupport: true },
		implementation: { dynamicRegistration: true, linkSupport: true },
		references: DYNAMIC,
		documentHighlight: DYNAMIC,
		hover: { dynamicRegistration: true, contentFormat: MARKUP },
		signatureHelp: {
			dynamicRegistration: true,
			contextSupport: true,
			signatureInformation: {
				documentationFormat: MARKUP,
				parameterInformation: { labelOffsetSupport: true },
				activeParameterSupport: true,
			},
		},
		documentSymbol: {
			dynamicRegistration: true,
			hierarchicalDocumentSymbolSupport: true,
			symbolKind: { valueSet: SYMBOL_KINDS },
		},
		rename: { dynamicRegistration: true, prepareSupport: true },
		codeAction: {
			dynamicRegistration: true,
			isPreferredSupport: true,
			disabledSupport: true,
			dataSupport: true,
			resolveSupport: { properties: ["edit"] },
			codeActionLiteralSupport: {
				codeActionKind: {
					valueSet: [
						"",
						"quickfix",
						"refactor",
						"refactor.extract",
						"refactor.inline",
						"refactor.rewrite",
						"source",
					],
				},
			},
		},
		completion: { dynamicRegistration: false, completionItem: { snippetSupport: false } },
		foldingRange: { dynamicRegistration: false },
	},
} as const;
