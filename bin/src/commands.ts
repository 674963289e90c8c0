import type { OptionTable } from '@burgee/kit/options/options'
import { keepHeapSmall, limitHeapGrowth } from './heap-growth.ts'
import type { CommandOutput, InjectedDeps, RunningService } from './running.ts'

/** Result of running a command: a running service, or output. */
export type CommandResult = RunningService | CommandOutput | string

/** Headings of commands in the help, in order. */
export const COMMAND_GROUPS = ['Run', 'Look', 'Operate', 'Shell'] as const

/**
 * A subcommand. The code of a subcommand is loaded only when the subcommand is used, so that a proxy does not load a
 * database driver.
 */
export interface Command {
  readonly group: (typeof COMMAND_GROUPS)[number]
  readonly summary: string
  /** Arguments before the options. */
  readonly operand?: string
  /** True if the operand is a file. */
  readonly takesFile?: boolean
  /** Example command lines, with a description of each. */
  readonly examples: readonly (readonly [line: string, what: string])[]
  /** Exit codes other than 0 (done or shut down gracefully) and 1 (wrong usage or failure). */
  readonly codes?: Readonly<Record<number, string>>
  readonly options: () => Promise<OptionTable>
  /** Starts a service that runs until a signal, or does something and returns its output. */
  readonly run: (argv: readonly string[], more: InjectedDeps) => Promise<CommandResult>
}

const NOT_ON_POSTGRES = { 2: 'the database is PostgreSQL; use its own tools' }

/** Subcommands by name. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    group: 'Run',
    summary: 'Runs server and proxy in one process, with a demo project.',
    examples: [
      ['burgee start', 'try it: prints the URL to open and a curl command'],
      ['DATA_DIR=/var/lib/burgee burgee start --no-demo', 'stores its data there, without the demo project'],
      ['HTTP_HOST=0.0.0.0 burgee start', 'can be reached from other machines, too'],
    ],
    options: async () => (await import('./start-command.ts')).START_OPTIONS,
    run: async (argv, more) => {
      const running = await (await import('./start-command.ts')).runStart(argv, more)
      limitHeapGrowth()
      return running
    },
  },
  server: {
    group: 'Run',
    summary: 'Runs the server: admin UI, admin, client and frontend API.',
    examples: [
      ['burgee server --data-dir /var/lib/burgee', 'on the embedded database'],
      ['DATABASE_URL=postgres://burgee@db/burgee burgee server', 'one of many nodes on PostgreSQL'],
    ],
    options: async () => (await import('@burgee/server/core/options/options')).SERVER_OPTIONS,
    run: async (argv, more) => {
      const running = await (await import('./server-command.ts')).runServer(argv, more)
      // call this only after the start: the documents loaded at the start stay in use, so collecting garbage earlier
      // would free little
      limitHeapGrowth()
      return running
    },
  },
  proxy: {
    group: 'Run',
    summary: 'Runs the client proxy in front of an upstream: one token, /proxy.',
    examples: [
      [
        'UNLEASH_URL=https://flags.example.com/api UNLEASH_API_TOKEN=… UNLEASH_PROXY_CLIENT_KEYS=web burgee proxy',
        'accepts the variables of the Unleash Proxy',
      ],
    ],
    options: async () => (await import('@burgee/proxy/options')).PROXY_OPTIONS,
    run: async (argv) => {
      keepHeapSmall()
      return (await import('./proxy-command.ts')).runProxy(argv)
    },
  },
  edge: {
    group: 'Run',
    summary: 'Runs an edge node for server-side and frontend SDKs of many tokens, projects and environments.',
    operand: '[offline|health|ready]',
    examples: [
      [
        'UPSTREAM_URL=https://flags.example.com TOKENS=*:production.… burgee edge',
        'accepts the variables of Unleash Edge',
      ],
      [
        'burgee edge offline --bootstrap-file flags.json --client-tokens secret',
        'flags from a file, without an upstream',
      ],
      ['burgee edge health', 'checks that an edge on this machine is alive; ready checks that it has flags'],
    ],
    options: async () => {
      const { EDGE_OPTIONS, OFFLINE_OPTIONS } = await import('@burgee/edge/options')
      return { ...EDGE_OPTIONS, ...OFFLINE_OPTIONS, ...(await import('./edge/edge-probe.ts')).PROBE_OPTIONS }
    },
    run: async (argv) => {
      keepHeapSmall()
      return (await import('./edge/edge-command.ts')).runEdge(argv)
    },
  },
  dev: {
    group: 'Run',
    summary: 'Serves the flags of YAML files for development, and loads saved files at once.',
    operand: '[DIR]',
    takesFile: true,
    examples: [
      ['burgee dev flags', 'prints URLs and tokens for SDKs'],
      ['burgee dev flags --project shop --environment production', 'the state of another environment'],
    ],
    options: async () => (await import('./dev/dev-options.ts')).DEV_OPTIONS,
    run: async (argv, more) => {
      const running = await (await import('./dev/dev-command.ts')).runDev(argv, more)
      limitHeapGrowth()
      return running
    },
  },
  evaluate: {
    group: 'Look',
    summary: 'Evaluates a flag for a context and explains the result.',
    operand: 'FILE|URL FLAG',
    takesFile: true,
    examples: [
      ['burgee evaluate features.json new-checkout -c userId=7,plan=paid', 'flags of a file'],
      ['BURGEE_TOKEN=… burgee evaluate https://flags.example.com new-checkout -c userId=7', 'flags of a server'],
    ],
    codes: { 2: 'the flag is off', 3: 'there is no such flag' },
    options: async () => (await import('./evaluate/evaluate-command.ts')).EVALUATE_OPTIONS,
    run: async (argv) => (await import('./evaluate/evaluate-command.ts')).runEvaluate(argv),
  },
  simulate: {
    group: 'Look',
    summary: 'Runs a release plan with its safeguards on recorded or generated metrics, in seconds.',
    operand: 'PLAN',
    takesFile: true,
    examples: [
      ['burgee simulate plan.json --generate rate=10,before=1%,after=5%,from=2', 'errors increase in milestone 2'],
      ['BURGEE_TOKEN=… burgee simulate Careful --url https://flags.example.com --series errors.csv', 'a template'],
    ],
    codes: { 2: 'a safeguard tripped', 3: 'the last milestone was not reached' },
    options: async () => (await import('./simulate/simulate-command.ts')).SIMULATE_OPTIONS,
    run: async (argv) => (await import('./simulate/simulate-command.ts')).runSimulate(argv),
  },
  verify: {
    group: 'Look',
    summary: 'Checks that two servers, or two files, give the same results; explains the first difference.',
    examples: [
      [
        'burgee verify --against https://old.example.com --url https://flags.example.com --tokens-file tokens.txt',
        'before you point SDKs to another URL',
      ],
      ['burgee verify --file before.json --file after.json', 'two downloads, without a server'],
    ],
    codes: { 0: 'equal', 1: 'a difference, wrong usage, or failed' },
    options: async () => (await import('./verify/verify-options.ts')).VERIFY_OPTIONS,
    run: async (argv) => (await import('./verify/verify-command.ts')).runVerify(argv),
  },
  refs: {
    group: 'Look',
    summary: 'Checks that source code uses only flags that exist, or uploads the places where it uses flags.',
    operand: 'check|scan [DIR]',
    takesFile: true,
    examples: [
      ['BURGEE_TOKEN=… burgee refs check --flags https://flags.example.com', 'all files that git does not ignore'],
      ['burgee refs check src --flags features.json --format sarif', 'for code scanning'],
      ['BURGEE_TOKEN=… burgee refs scan --url https://flags.example.com --project shop --repo web', 'after each merge'],
    ],
    codes: { 2: 'the code uses a flag that does not exist or is archived' },
    options: async () => (await import('./refs/refs-command.ts')).REFS_OPTIONS,
    run: async (argv) => (await import('./refs/refs-command.ts')).runRefs(argv),
  },
  export: {
    group: 'Look',
    summary: 'Writes the flags of projects as YAML files, one per flag, for a repository.',
    examples: [
      ['BURGEE_TOKEN=… burgee export --project shop --out flags', 'all flags with the objects that they use'],
      ['BURGEE_TOKEN=… burgee export --project shop --flag new-checkout', 'prints one flag'],
    ],
    options: async () => (await import('./config/config-options.ts')).EXPORT_OPTIONS,
    run: async (argv) => (await import('./config/export-command.ts')).runExport(argv),
  },
  plan: {
    group: 'Look',
    summary: 'Prints the changes that bring projects to the state of YAML files; changes nothing.',
    operand: '[DIR]',
    takesFile: true,
    examples: [
      ['BURGEE_TOKEN=… burgee plan flags --project shop', 'what an apply would change'],
      ['burgee plan flags --project shop --format github', 'a comment for a pull request'],
    ],
    codes: { 2: 'there are changes' },
    options: async () => (await import('./config/config-options.ts')).PLAN_OPTIONS,
    run: async (argv) => (await import('./config/plan-command.ts')).runPlan(argv),
  },
  doctor: {
    group: 'Look',
    summary: 'Checks the database, the machine and the options for problems; changes nothing.',
    examples: [['burgee doctor --data-dir /var/lib/burgee', 'before a start, or next to a running server']],
    options: async () => (await import('./doctor-command.ts')).DOCTOR_OPTIONS,
    run: async (argv) => (await import('./doctor-command.ts')).runDoctor(argv),
  },
  health: {
    group: 'Look',
    summary: 'Checks whether the service on this machine is alive; for container supervisors.',
    examples: [
      ['burgee health', 'at the address in the variables of this shell'],
      ['burgee health --url http://10.0.0.7:4242/health', 'somewhere else'],
    ],
    options: async () => (await import('./health-command.ts')).HEALTH_OPTIONS,
    run: async (argv) => (await import('./health-command.ts')).runHealth(argv),
  },
  apply: {
    group: 'Operate',
    summary: 'Applies a plan of `burgee plan`, all or nothing; fails if the project has changed since.',
    operand: '[DIR]',
    takesFile: true,
    examples: [['BURGEE_TOKEN=… burgee apply flags --project shop --plan 3f2a…', 'the hash that the plan printed']],
    options: async () => (await import('./config/config-options.ts')).APPLY_OPTIONS,
    run: async (argv) => (await import('./config/apply-command.ts')).runApply(argv),
  },
  'reset-password': {
    group: 'Operate',
    summary: 'Prints a new password for an administrator or the named user; the server may be running.',
    operand: '[name]',
    examples: [['burgee reset-password admin', 'anyone who can read the database can do this']],
    options: async () => (await import('./reset-command.ts')).RESET_OPTIONS,
    run: async (argv) => (await import('./reset-command.ts')).runReset(argv),
  },
  backup: {
    group: 'Operate',
    summary: 'Writes a backup of the embedded database to a new file; the server may be running.',
    operand: 'FILE',
    takesFile: true,
    examples: [['burgee backup /backups/burgee-$(date +%F).db', 'one file per day']],
    codes: NOT_ON_POSTGRES,
    options: async () => (await import('./backup-command.ts')).BACKUP_OPTIONS,
    run: async (argv) => (await import('./backup-command.ts')).runBackup(argv),
  },
  restore: {
    group: 'Operate',
    summary: 'Replaces the embedded database with a backup and keeps the old one; no server may be running.',
    operand: 'FILE',
    takesFile: true,
    examples: [['burgee restore /backups/burgee-2026-11-01.db', 'the previous database is kept next to it']],
    codes: NOT_ON_POSTGRES,
    options: async () => (await import('./backup-command.ts')).BACKUP_OPTIONS,
    run: async (argv) => (await import('./backup-command.ts')).runRestore(argv),
  },
  import: {
    group: 'Operate',
    summary: 'Imports flags, tokens, users and history from another server, which is only read.',
    examples: [
      [
        'BURGEE_IMPORT_DATABASE_URL=postgres://… burgee import --dry-run',
        'Unleash database: reports the planned import and the differences',
      ],
      [
        'BURGEE_IMPORT_DATABASE_URL=postgres://… burgee import --data-dir /var/lib/burgee',
        'into an unused embedded database; all or nothing',
      ],
      ['burgee import --update', 'imports the latest changes just before the cut-over'],
    ],
    codes: { 2: 'imported, but flags differ in ways that the report does not name' },
    options: async () => (await import('./import/import-options.ts')).IMPORT_OPTIONS,
    run: async (argv) => (await import('./import/import-command.ts')).runImport(argv),
  },
  mcp: {
    group: 'Shell',
    summary: 'Connects an agent that speaks MCP over standard input to the MCP endpoint of a server.',
    examples: [['BURGEE_URL=https://flags.example.com BURGEE_TOKEN=user:… burgee mcp', 'for clients without HTTP']],
    options: async () => (await import('./server-access-options.ts')).SERVER_ACCESS_OPTIONS,
    run: async (argv) => (await import('./mcp/mcp-command.ts')).runMcp(argv),
  },
  completion: {
    group: 'Shell',
    summary: 'Prints a completion script for bash, zsh or fish.',
    operand: 'SHELL',
    examples: [['eval "$(burgee completion bash)"', 'for this shell; add it to ~/.bashrc for all']],
    options: async () => ({}),
    run: async (argv) => (await import('./completion-command.ts')).runCompletion(argv, COMMANDS),
  },
}
