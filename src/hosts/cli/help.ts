export const HELP = `deputize: delegate a focused task to a specialist agent and get back a short answer.

Examples
  deputize run explorer "Where is authentication middleware registered?"
  deputize run reviewer "Review the error handling in src/server.ts"
  git diff | deputize run reviewer -            the task comes from stdin
  deputize run explorer "And who calls it?" --session 550e8400-e29b-41d4-a716-446655440000
  deputize run explorer "Find the parser" --json | jq .details.results[0].output
  deputize agents                               who can be asked, and from which file
  deputize doctor                               what works here, and what to do about the rest

Commands
  run <agent> <task…>   delegate; progress on stderr, the answer on stdout
  agents                list agents with source, tools and file, and files that were skipped
  doctor                check pi, configuration, credentials, sandbox, search tools, servers
  logs                  what was delegated, newest first   [--subagent|--web|--convert|--lsp] [--limit N]
  activity              totals, success rates and times per agent and tool
  exec                  the pi-free runtime: JSON on stdin, server-sent events on stdout

Options of run
  --session <id>          continue a session of the same agent in the same directory
  --cwd <dir>             work in this directory
  --model <provider/id>   use this model; "offline" is the embedded navigator
  --offline               no language model: search by keyword and symbol
  --runtime <pi|loop>     run the child as pi, or in deputize's own provider loop
  --agents-dir <dir>      read agents from here too; may be repeated
  --timeout-ms <n>        stop after this time         (default 900000)
  --idle-timeout-ms <n>   stop after this much silence (default 180000)
  --json                  print the whole result as JSON
  --stream                print updates and the result as one JSON object per line
  --dry-run               print what would be started, and start no child
  --quiet                 no progress

Reports take --json. Exit codes: 0 success, 1 the delegation failed, 2 wrong usage or configuration,
130 interrupted.
`;
