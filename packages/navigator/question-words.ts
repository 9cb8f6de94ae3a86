import { stemWord } from "./code-index/stem-word.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Scripts without spaces: a word is found inside a run of others. */
export const UNSPACED_SCRIPT =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Words that carry no search value in a question, compared before stemming. */
export const STOP_WORDS = words(`
a about above across after again against all almost along already also although always am among an and another any anyone
anything are aren around as at away back be became because been before being below best better between both but by came can
cannot come comes could couldn d did didn do does doesn doing don done down during each either else enough etc ever every
everything exactly explain few find finds first for found from further get gets getting give given gives go goes going gone good
got had has have haven having he help hence her here him his how however i if in inside instead into is isn it its itself just
keep keeps kept kind know last later least less let like likely little ll look looking looks made mainly make makes making many
may maybe me mean means might more most much must my need needed needs neither never next no nor not nothing now of off often
ok okay on once one only onto or other others our out over own part parts per perhaps please quite rather re really related
relevant respectively s same say says see seem seems several shall she should show shows simply since so some someone something
somewhere soon still such sure t take taken takes tell than that the their them then there these they thing things this those
though through thus to together too under until up upon us use used uses using usually various ve very via want wants was wasn
way ways we well were what whatever when whenever where whether which while who whole whom whose why will with within without
won would wouldn yes yet you your
`);

/**
 * What questions are made of rather than what they are about: "where is X decided", "which file implements Y".
 * They still break ties, so they stay in the search with little weight.
 */
export const WEAK_WORDS = words(`
add added adding analyse analyze answer area behavior behaviour body call called calling calls case cases change changed changes class classes code codebase
compute computed contain contained contains control controlled controls create created creates decide decided decides deciding
define defined defines definition definitions describe described describes detail details determine determined determines 
entry exist exists feature file fix files folder folders function functions functionality handle handled handler handles handling
happen happened happens implement implementation implemented implements introduce involved line lines list listed live lives located
location logic main mechanism method methods module modules name named names object objects occur occurs package piece
place places plan point process processed program project purpose reach reached refactor repo repository responsible result returned returns review
return role run runs section set sets source stored support supported supports system task technical type types value values
variable work working works written
`);

/** Ask for the tree as a whole; together with nothing more specific they mean "give me an overview". */
export const OVERVIEW_WORDS = words(`
architecture codebase contents directory directories folder folders layout organised organized organisation organization
overview package project purpose repo repository structure structured summarise summarize summary tree
`);

/** "It times out", "who logs in": code writes such verbs as one word. */
const TWO_WORD_VERBS: readonly (readonly [RegExp, string])[] = [
	[/\btim(?:e|es|ed|ing)[ -]out\b/gi, "timeout"],
	[/\bback(?:s|ed|ing)?[ -]off\b/gi, "backoff"],
	[/\bclean(?:s|ed|ing)?[ -]up\b/gi, "cleanup"],
	[/\blog(?:s|ged|ging)?[ -]in\b/gi, "login"],
	[/\blog(?:s|ged|ging)?[ -]out\b/gi, "logout"],
	[/\blook(?:s|ed|ing)?[ -]up\b/gi, "lookup"],
	[/\broll(?:s|ed|ing)?[ -]back\b/gi, "rollback"],
	[/\bset(?:s|ting)?[ -]up\b/gi, "setup"],
	[/\bshut(?:s|ting)?[ -]down\b/gi, "shutdown"],
];

export function joinTwoWordVerbs(text: string): string {
	return TWO_WORD_VERBS.reduce((joined, [pattern, word]) => joined.replace(pattern, word), text);
}

/** Abbreviations and near-synonyms that code uses for a word; matched with less weight than the word itself. */
const SYNONYM_GROUPS: readonly (readonly string[])[] = [
	["abort", "cancel", "terminate"],
	["argument", "arg", "parameter", "param", "option"],
	["authentication", "auth", "credential"],
	["check", "validate", "verify", "assert"],
	["choose", "select", "pick", "decide"],
	["command", "cmd"],
	["configuration", "config", "setting"],
	["context", "ctx"],
	["convert", "transform"],
	["delete", "remove"],
	["directory", "dir", "folder"],
	["discover", "find", "lookup"],
	["environment", "env"],
	["error", "failure", "exception"],
	["image", "img", "picture"],
	["initialize", "init", "setup"],
	["limit", "maximum", "max", "cap"],
	["message", "msg"],
	["minimum", "min"],
	["number", "count"],
	["permission", "allow", "grant"],
	["print", "render", "format"],
	["reference", "ref"],
	["repository", "repo"],
	["request", "req"],
	["response", "res"],
	["schedule", "queue"],
	["secret", "redact"],
	["serialize", "stringify", "encode"],
	["deserialize", "parse", "decode"],
	["spawn", "launch", "start"],
	["stop", "kill", "shutdown"],
	["temporary", "temp", "tmp"],
	["timeout", "deadline"],
	["truncate", "shorten", "cut"],
	["word", "token", "term"],
];

const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
	SYNONYM_GROUPS.flatMap((group) =>
		group.map((word) => [stemWord(word), group.filter((other) => other !== word).map(stemWord)] as const),
	),
);

export function synonymsOfStem(stem: string): readonly string[] {
	return SYNONYMS.get(stem) ?? [];
}
