export const HELP = `deputize: delegate a focused task to a specialist agent and get back a short answer.

Examples
  deputize run explorer "Where is authentication middleware registered?"
  deputize run reviewer "Review the error handling in src/server.ts"
  git diff | deputize run reviewer "What are the risks?"     the diff is sent with the task
  deputize run reviewer - <task.md              the whole task comes from stdin
  deputize run explorer "And who calls it?" --session 550e8400-e29b-41d4-a716-446655440000
  deputize run explorer "Find the parser" --json=slim | jq -r .output
  deputize agents                               who can be asked, and from which file
  deputize doctor                               what works here, and what to do about the rest

Commands
  run <agent> <task…>   delegate; progress on stderr, the answer on stdout
  batch <input>         many delegations: JSON lines, CSV, stdin or a glob in, JSON lines out; --help for more
  worker                run tasks of batches from a queue; --help for more
  agents                list agents with source, tools and file, and files that were skipped
  agents trust <name>   approve an agent that came with this project, for its present content; untrust takes it back
  doctor                check pi, configuration, credentials, sandbox, search tools, servers
  logs                  what was delegated, newest first   [--subagent|--web|--convert|--lsp] [--limit N]
  activity              totals, success rates and times per agent and tool
  mcp                   the tool subagent for Claude Code, Codex and other MCP clients; --help for more
  exec                  the pi-free runtime: JSON on stdin, server-sent events on stdout

Options of run
  --session <id>          continue a session of the same agent in the same directory
  --cwd <dir>             work in this directory
  --model <provider/id>   use this model; "offline" is the embedded navigator
  --offline               no language model: search by keyword and symbol
  --runtime <pi|loop>     run the child as pi, or in deputize's own provider loop
  --agents-dir <dir>      read agents from here too; may be repeated
  --builtin               only the agents of this package, also where a project's file has the same name
  --timeout-ms <n>        stop after this time         (default 900000)
  --idle-timeout-ms <n>   stop after this much silence (default 180000)
  --json                  print the whole result as JSON
  --json=slim             print the answer once, with status, session, usage and error
  --stream                print updates and the result as one JSON object per line
  --dry-run               print what would be started, and start no child
  --quiet                 no progress

Reports take --json. Exit codes: 0 success, 1 the delegation failed, 2 wrong usage or configuration,
130 interrupted.
`;

export const BATCH_HELP = `deputize batch: many delegations with one command. Running the same command again continues it.

  deputize batch <input> --agent A --task "Review {path}" -o out.jsonl [options]
  deputize batch status|pause|resume|cancel out.jsonl

Examples
  deputize batch "glob:src/**/*.ts" --agent reviewer --task "Review {path}" -o review.jsonl
  deputize batch questions.csv --agent explorer --task "{question}" -o answers.jsonl -j 8
  git diff --name-only main | deputize batch - --agent reviewer --task "Review {line}" -o review.jsonl

Input: in.jsonl (any fields), in.csv (the first row names the fields), - for stdin (JSON lines or plain lines, {line}), or
glob:PATTERN ({path}, {name}, {directory}, {extension}). Without --task, each row's field task is the task.

Options
  -o, --output <file>        results, one JSON line for each task; also the checkpoint
  -j, --jobs <n>             run so many at once                    (default 4)
  --rate <n/unit>            start at most so many, such as 60/min
  --budget-usd <x>           spend at most this over all runs; reserved before a task starts
  --max-usd-per-task <x>     stop a task that costs more
  --limit <n>                start at most n tasks now
  --retry-failed             also run tasks that failed before
  --dry-run                  check everything, estimate cost and time, start nothing
  --queue <url>              redis://… or postgres://…: workers run the tasks (see deputize worker --help)
  --workspace <name>         what the workers call this directory   (default: its name)
  --format <jsonl|csv|lines> when the name of the input does not say
  --max-quota-wait-ms <n>    how long to wait for a provider that refuses (default 3600000)
  --json                     print the summary as JSON
  --quiet                    no progress
  --cwd, --model, --offline, --runtime, --agents-dir, --builtin, --timeout-ms, --idle-timeout-ms: as for run

Exit codes: 0 all done, 1 some failed, 2 wrong usage, 3 stopped early (budget, quota, cancel), 130 interrupted.
Ctrl-C once: finish what runs; twice: stop it.
`;

export const WORKER_HELP = `deputize worker: run tasks of batches from a queue, on this machine and with its credentials.

  deputize worker --queue URL -j N --workspace name=path --agents a,b

  --queue <url>          redis://…, rediss://… or postgres://…
  -j, --jobs <n>         run so many at once                              (default 4)
  --workspace name=path  a directory batches may name; may be repeated
  --agents a,b           agents that may run; no other is started
  --name <text>          how it is called in batch status                 (default: host and process)
  --lease-ms <n>         silence after which its tasks go to others       (default 30000)

Work from a queue never writes. A batch made for another commit or another version of an agent is refused and waits for
a worker that has it. Workers can be started and stopped while batches run. Ctrl-C once: finish what runs and leave;
twice: give it back.
`;

export const MCP_HELP = `deputize mcp: the tool subagent for other agents, as an MCP server over stdin and stdout.

  deputize mcp [options]      started by the client, which speaks to it

Options
  --cwd <dir>                 work in this directory  (default: CLAUDE_PROJECT_DIR, the client's root, the current one)
  --answer-within-ms <n>      answer by then, finished or not; the next call joins the run   (default: what the client takes)
  --max-result-bytes <n>      longest text of one answer                                     (default: what the client takes)
  --model, --offline, --runtime, --agents-dir, --timeout-ms, --idle-timeout-ms: as for run
`;
