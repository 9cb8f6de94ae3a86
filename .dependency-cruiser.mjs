// Imports go one way: a room may import rooms on lower floors, and its own wing. See AGENTS.md for the floors.
const FLOORS = [
	["contract"],
	["parts"],
	["process", "journal", "judge"],
	["sandbox"],
	["git"],
	["config", "agents", "sessions", "telemetry", "changes", "navigator", "tools/web", "tools/convert", "tools/lsp", "tools/files", "tools/shell"],
	["toolbox"],
	["runtimes"],
	["children"],
	["delegation"],
	["runs"],
	["commands", "batch"],
	["viewer"],
	["hosts/pi", "hosts/cli", "hosts/mcp"],
];

const room = (names) => `^src/(${names.join("|")})/`;

/** Floor n may not reach floors above it. */
const upward = FLOORS.slice(0, -1).map((rooms, floor) => ({
	name: `floor-${floor}-imports-upward`,
	severity: "error",
	from: { path: room(rooms) },
	to: { path: room(FLOORS.slice(floor + 1).flat()) },
}));

/** Rooms that share a floor do not meet, except those whose whole purpose is to serve the others. */
const sideways = FLOORS.flatMap((rooms) =>
	rooms
		.filter(() => rooms.length > 1)
		.map((name) => ({
			name: `${name.replace("/", "-")}-meets-a-neighbor`,
			severity: "error",
			from: { path: room([name]) },
			to: { path: room(rooms.filter((other) => other !== name)) },
		})),
).filter(({ name }) => !ALLOWED_NEIGHBORS().includes(name));

/** `fetch_content` hands documents to the converter, and the converter downloads through the guarded client. */
function ALLOWED_NEIGHBORS() {
	return ["tools-web-meets-a-neighbor", "tools-convert-meets-a-neighbor"];
}

const SHIPPED = "^packages/([^/]+)/(?!test/|bench/|fixtures/)";

/** A package is reached by its index.ts, and knows nothing but itself and the ground. */
const walls = [
	{ name: "packages-are-entered-by-index", severity: "error", from: { path: "^src/" }, to: { path: "^packages/", pathNot: "^packages/[^/]+/index\\.ts$" } },
	{ name: "packages-know-only-the-ground", severity: "error", from: { path: SHIPPED, pathNot: "^packages/ground/" }, to: { path: "^(src|packages)/", pathNot: ["^packages/ground/index\\.ts$", "^packages/$1/"] } },
	{ name: "the-ground-knows-nobody", severity: "error", from: { path: "^packages/ground/(?!test/)" }, to: { path: "^(src|packages/(?!ground/))" } },
	{ name: "packages-do-not-spawn", severity: "error", from: { path: SHIPPED }, to: { path: "^(node:)?child_process$" } },
];

export default {
	forbidden: [
		...walls,
		...upward,
		...sideways,
		{
			name: "tools-web-meets-only-convert",
			severity: "error",
			from: { path: "^src/tools/(web|convert)/" },
			to: { path: "^src/(config|agents|sessions|navigator|tools/(lsp|files|shell))/" },
		},
		{ name: "runtime-wings-never-meet", severity: "error", from: { path: "^src/runtimes/pi/" }, to: { path: "^src/runtimes/loop/" } },
		{ name: "runtime-wings-never-meet", severity: "error", from: { path: "^src/runtimes/loop/" }, to: { path: "^src/runtimes/pi/" } },
		// A child everywhere, but for `deputize exec`, which is the program itself.
		{ name: "nobody-imports-the-loop-program", severity: "error", from: { pathNot: "^src/(loop/|hosts/cli/exec-command\\.ts$)" }, to: { path: "^src/loop/" } },
		{ name: "exec-is-one-function", severity: "error", from: { path: "^src/hosts/cli/" }, to: { path: "^src/loop/", pathNot: "^src/loop/exec-program\\.ts$" } },
		// Everybody may ask where an entry point is, so the table knows nobody.
		{ name: "entry-points-import-nothing", severity: "error", from: { path: "^src/entry-points\\.ts$" }, to: { path: "^src/" } },
		{ name: "the-loop-program-is-a-child", severity: "error", from: { path: "^src/loop/" }, to: { path: "^src/(runtimes|children|delegation|runs|commands|viewer|hosts|agents|sessions)/" } },
		{ name: "only-hosts-pi-knows-pi", severity: "error", from: { path: "^src/", pathNot: "^src/hosts/pi/" }, to: { path: "@earendil-works|node_modules/typebox" } },
		{ name: "only-process-spawns", severity: "error", from: { path: "^src/", pathNot: "^src/process/" }, to: { path: "^(node:)?child_process$" } },
		{ name: "no-circles", severity: "error", from: {}, to: { circular: true } },
	],
	options: {
		doNotFollow: { path: "node_modules" },
		exclude: { path: "^packages/[^/]+/(test|bench|fixtures)/" },
		tsConfig: { fileName: "tsconfig.json" },
		tsPreCompilationDeps: true,
		enhancedResolveOptions: { extensions: [".ts", ".js", ".mjs"] },
	},
};
