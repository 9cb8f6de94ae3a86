export interface ServerDefinition {
	readonly id: string;
	/** File extension with its dot, or a whole file name, to the protocol's language id. */
	readonly languages: Readonly<Record<string, string>>;
	/** A server is started for the outermost directory of a workspace that has one of these: one for all its packages. */
	readonly rootMarkers: readonly string[];
	/** For the nearest such directory instead: one server per package. */
	readonly isPerPackage?: true;
	/** Tried in order, each in the workspace, then in a virtual environment, then on PATH. */
	readonly candidates: readonly { readonly executable: string; readonly args: readonly string[] }[];
	/**
	 * What needs more than a command line before it starts. `typescript`: the project's own compiler decides which
	 * program runs. `clangd`: its index must not land in the project. `python`: the virtual environment is found.
	 */
	readonly preparation?: "typescript" | "clangd" | "python";
	readonly installHint: string;
	/**
	 * In a project that is not trusted: `run` starts a server that only reads the project; `boxed` starts one that
	 * calls other programs about it, in a sandbox only; `refuse` does not start one that executes build files or
	 * configuration from it.
	 */
	readonly untrusted: "run" | "boxed" | "refuse";
	readonly initializationOptions?: unknown;
	/** Answers to `workspace/configuration`, by dotted section. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** It loads the project before it answers, so the first answer that is not empty is believed. */
	readonly loadsBeforeAnswering?: true;
	/** Files of other languages whose changes the server needs to know about. */
	readonly alsoWatches?: readonly string[];
	/** The user's configuration names the program. */
	readonly source?: "config";
}

const TYPESCRIPT_LANGUAGES = {
	".ts": "typescript",
	".mts": "typescript",
	".cts": "typescript",
	".tsx": "typescriptreact",
	".js": "javascript",
	".mjs": "javascript",
	".cjs": "javascript",
	".jsx": "javascriptreact",
};

const C_LANGUAGES = {
	".c": "c",
	".h": "c",
	".cc": "cpp",
	".cpp": "cpp",
	".cxx": "cpp",
	".hh": "cpp",
	".hpp": "cpp",
	".hxx": "cpp",
	".m": "objective-c",
	".mm": "objective-cpp",
};

export const SERVER_TABLE: readonly ServerDefinition[] = [
	{
		id: "typescript",
		languages: TYPESCRIPT_LANGUAGES,
		rootMarkers: ["tsconfig.json", "jsconfig.json", "package.json"],
		candidates: [{ executable: "typescript-language-server", args: ["--stdio"] }],
		preparation: "typescript",
		installHint:
			"npm install --save-dev typescript@7 (or: npm install --global typescript-language-server typescript@5)",
		untrusted: "run",
		initializationOptions: {
			// Typings would be downloaded with npm.
			disableAutomaticTypingAcquisition: true,
			// The second, syntax-only server answers before the project is loaded, with part of the truth.
			tsserver: { useSyntaxServer: "never" },
			// The path would change and the file it names would not.
			preferences: { includePackageJsonAutoImports: "off", allowRenameOfImportPath: false },
		},
		loadsBeforeAnswering: true,
		alsoWatches: [".json"],
	},
	{
		id: "pyright",
		languages: { ".py": "python", ".pyi": "python" },
		rootMarkers: [
			"pyproject.toml",
			"pyrightconfig.json",
			"setup.py",
			"setup.cfg",
			"requirements.txt",
			"Pipfile",
		],
		candidates: [
			{ executable: "pyright-langserver", args: ["--stdio"] },
			{ executable: "basedpyright-langserver", args: ["--stdio"] },
			{ executable: "pylsp", args: [] },
		],
		preparation: "python",
		installHint: "npm install --global pyright",
		untrusted: "run",
		settings: {
			"python.analysis": {
				autoSearchPaths: true,
				useLibraryCodeForTypes: true,
				diagnosticMode: "openFilesOnly",
			},
		},
		alsoWatches: [".toml", "pyrightconfig.json"],
	},
	{
		id: "gopls",
		languages: { ".go": "go", "go.mod": "go.mod", "go.work": "go.work" },
		rootMarkers: ["go.work", "go.mod"],
		isPerPackage: true,
		candidates: [{ executable: "gopls", args: [] }],
		installHint: "go install golang.org/x/tools/gopls@latest",
		untrusted: "boxed",
		alsoWatches: ["go.sum"],
	},
	{
		id: "rust-analyzer",
		languages: { ".rs": "rust" },
		rootMarkers: ["Cargo.toml"],
		candidates: [{ executable: "rust-analyzer", args: [] }],
		installHint: "rustup component add rust-analyzer",
		untrusted: "refuse",
		alsoWatches: [".toml", "Cargo.lock"],
	},
	{
		id: "clangd",
		languages: C_LANGUAGES,
		rootMarkers: [
			"compile_commands.json",
			"compile_flags.txt",
			".clangd",
			"CMakeLists.txt",
			"meson.build",
			"Makefile",
		],
		candidates: [{ executable: "clangd", args: ["--background-index", "--log=error"] }],
		preparation: "clangd",
		installHint: "apt-get install clangd (macOS: xcode-select --install)",
		untrusted: "run",
		alsoWatches: ["compile_commands.json", "compile_flags.txt"],
	},
	{
		id: "bash",
		languages: { ".sh": "shellscript", ".bash": "shellscript" },
		rootMarkers: [".git"],
		candidates: [{ executable: "bash-language-server", args: ["start"] }],
		installHint: "npm install --global bash-language-server (diagnostics need shellcheck too)",
		untrusted: "run",
		settings: {
			bashIde: { globPattern: "**/*@(.sh|.inc|.bash|.command)", includeAllWorkspaceSymbols: true },
		},
	},
	{
		id: "json",
		languages: { ".json": "json", ".jsonc": "jsonc" },
		rootMarkers: ["package.json", ".git"],
		candidates: [{ executable: "vscode-json-language-server", args: ["--stdio"] }],
		installHint: "npm install --global vscode-langservers-extracted",
		untrusted: "run",
		// Without file access the server asks the client for schemas; there is no network access for it here.
		initializationOptions: { handledSchemaProtocols: ["file"], provideFormatter: false },
		settings: { json: { schemaDownload: { enable: false }, validate: { enable: true } } },
	},
	{
		id: "yaml",
		languages: { ".yaml": "yaml", ".yml": "yaml" },
		rootMarkers: [".git"],
		candidates: [{ executable: "yaml-language-server", args: ["--stdio"] }],
		installHint: "npm install --global yaml-language-server",
		untrusted: "run",
		settings: {
			yaml: { schemaStore: { enable: false, url: "" }, validate: true },
			"redhat.telemetry": { enabled: false },
		},
	},
	{
		id: "html",
		languages: { ".html": "html", ".htm": "html" },
		rootMarkers: ["package.json", ".git"],
		candidates: [{ executable: "vscode-html-language-server", args: ["--stdio"] }],
		installHint: "npm install --global vscode-langservers-extracted",
		untrusted: "run",
	},
	{
		id: "css",
		languages: { ".css": "css", ".scss": "scss", ".less": "less" },
		rootMarkers: ["package.json", ".git"],
		candidates: [{ executable: "vscode-css-language-server", args: ["--stdio"] }],
		installHint: "npm install --global vscode-langservers-extracted",
		untrusted: "run",
	},
	{
		id: "vue",
		languages: { ".vue": "vue" },
		rootMarkers: ["package.json"],
		isPerPackage: true,
		candidates: [{ executable: "vue-language-server", args: ["--stdio"] }],
		installHint: "npm install --save-dev @vue/language-server",
		untrusted: "refuse",
	},
	{
		id: "svelte",
		languages: { ".svelte": "svelte" },
		rootMarkers: ["package.json"],
		isPerPackage: true,
		candidates: [{ executable: "svelteserver", args: ["--stdio"] }],
		installHint: "npm install --save-dev svelte-language-server",
		untrusted: "refuse",
	},
	{
		id: "dart",
		languages: { ".dart": "dart" },
		rootMarkers: ["pubspec.yaml"],
		isPerPackage: true,
		candidates: [{ executable: "dart", args: ["language-server", "--protocol=lsp"] }],
		installHint: "install the Dart or Flutter SDK",
		untrusted: "refuse",
	},
	{
		id: "kotlin",
		languages: { ".kt": "kotlin", ".kts": "kotlin" },
		rootMarkers: ["settings.gradle.kts", "settings.gradle", "build.gradle.kts", "build.gradle", "pom.xml"],
		candidates: [
			{ executable: "kotlin-lsp", args: ["--stdio"] },
			{ executable: "kotlin-language-server", args: [] },
		],
		installHint: "brew install JetBrains/utils/kotlin-lsp (or a release of kotlin-lsp on PATH)",
		untrusted: "refuse",
	},
	{
		id: "swift",
		languages: { ".swift": "swift" },
		rootMarkers: ["Package.swift"],
		isPerPackage: true,
		candidates: [{ executable: "sourcekit-lsp", args: [] }],
		installHint: "install the Swift toolchain (it contains sourcekit-lsp)",
		untrusted: "refuse",
	},
	{
		id: "lua",
		languages: { ".lua": "lua" },
		rootMarkers: [".luarc.json", ".luarc.jsonc", ".git"],
		isPerPackage: true,
		candidates: [{ executable: "lua-language-server", args: [] }],
		installHint: "brew install lua-language-server (or a release of it on PATH)",
		untrusted: "refuse",
	},
	{
		id: "ruby",
		languages: { ".rb": "ruby", ".rake": "ruby", Gemfile: "ruby" },
		rootMarkers: ["Gemfile", ".ruby-version"],
		isPerPackage: true,
		candidates: [
			{ executable: "ruby-lsp", args: [] },
			{ executable: "solargraph", args: ["stdio"] },
		],
		installHint: "gem install ruby-lsp",
		untrusted: "refuse",
	},
	{
		id: "java",
		languages: { ".java": "java" },
		rootMarkers: ["settings.gradle", "settings.gradle.kts", "pom.xml", "build.gradle", "build.gradle.kts"],
		candidates: [{ executable: "jdtls", args: [] }],
		installHint: "brew install jdtls (or put Eclipse JDT LS's jdtls script on PATH)",
		untrusted: "refuse",
	},
];
