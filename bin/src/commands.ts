import type { OptionTable } from '@burgee/kit/options/options'
import { keepHeapSmall, limitHeapGrowth } from './heap-growth.ts'
import type { CommandOutput, InjectedDeps, RunningService } from './running.ts'

/** Result of running a command: a running service, or output. */
export type CommandResult = RunningService | CommandOutput | string

/** Headings of commands in the help, in order. */
export const COMMAND_GROUPS = ['Run', 'Look', 'Operate', 'Shell'] as const

/** A subcommand. Its code is loaded only when used, so that a proxy does not load a database driver. */
export interface Command {
  readonly group: (typeof COMMAND_GROUPS)[number]
  readonly summary: string
  /** Arguments before the options. */
  readonly operand?: string
  /** True if the operand is a file. */
  readonly takesFile?: boolean
  /** Example command lines, and what each does. */
  readonly examples: readonly (readonly [line: string, what: string])[]
  /** Exit codes other than 0 (done, or shut down gracefully) and 1 (wrong usage, or failed). */
  readonly codes?: Readonly<Record<number, string>>
  readonly options: () => Promise<OptionTable>
  /** Starts a service that runs until a signal, or does something and returns its output. */
  readonly run: (argv: readonly string[], more: InjectedDeps) => Promise<CommandResult>
}

const NOT_ON_POSTGRES = { 2: 'the database is a PostgreSQL, which has tools of its own for this' }

/** Subcommands by name. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    group: 'Run',
    summary: 'Server and proxy in one process, with a demo project.',
    examples: [
      ['burgee start', 'try it: prints where to click and what to curl'],
      ['DATA_DIR=/var/lib/burgee burgee start --no-demo', 'keeps its data there, without the demo project'],
      ['HTTP_HOST=0.0.0.0 burgee start', 'is reached from other machines, too'],
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
    summary: 'The server: admin UI, admin, client and frontend API.',
    examples: [
      ['burgee server --data-dir /var/lib/burgee', 'on the embedded database'],
      ['DATABASE_URL=postgres://burgee@db/burgee burgee server', 'one of many nodes on PostgreSQL'],
    ],
    options: async () => (await import('@burgee/server/core/options/options')).SERVER_OPTIONS,
    run: async (argv, more) => {
      const running = await (await import('./server-command.ts')).runServer(argv, more)
      // not earlier: the documents of a start only add live objects
      limitHeapGrowth()
      return running
    },
  },
  proxy: {
    group: 'Run',
    summary: 'The client proxy in front of an upstream: one token, /proxy.',
    examples: [
      [
        'UNLEASH_URL=https://flags.example.com/api UNLEASH_API_TOKEN=… UNLEASH_PROXY_CLIENT_KEYS=web burgee proxy',
        'the variables of the Unleash Proxy work as they are',
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
    summary: 'In front of server and browser SDKs of many tokens, projects and environments.',
    operand: '[offline|health|ready]',
    examples: [
      [
        'UPSTREAM_URL=https://flags.example.com TOKENS=*:production.… burgee edge',
        'the variables of Unleash Edge work',
      ],
      [
        'burgee edge offline --bootstrap-file flags.json --client-tokens secret',
        'flags of a file, without an upstream',
      ],
      ['burgee edge health', 'whether one on this machine is well; ready: whether it has flags'],
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
  evaluate: {
    group: 'Look',
    summary: 'Says whether a flag is on for a context, and why.',
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
  verify: {
    group: 'Look',
    summary: 'Says whether two servers, or two files, give the same flags to everybody; the first difference in words.',
    examples: [
      [
        'burgee verify --against https://old.example.com --url https://flags.example.com --tokens-file tokens.txt',
        'before SDKs are sent to another address',
      ],
      ['burgee verify --file before.json --file after.json', 'two downloads, without a server'],
    ],
    codes: { 0: 'equal', 1: 'a difference, wrong usage, or failed' },
    options: async () => (await import('./verify/verify-options.ts')).VERIFY_OPTIONS,
    run: async (argv) => (await import('./verify/verify-command.ts')).runVerify(argv),
  },
  doctor: {
    group: 'Look',
    summary: 'Looks for what is wrong with the database, the machine and the options; changes nothing.',
    examples: [['burgee doctor --data-dir /var/lib/burgee', 'beside a server that runs, or before one starts']],
    options: async () => (await import('./doctor-command.ts')).DOCTOR_OPTIONS,
    run: async (argv) => (await import('./doctor-command.ts')).runDoctor(argv),
  },
  health: {
    group: 'Look',
    summary: 'Asks what runs on this machine whether it is alive; for supervisors of containers.',
    examples: [
      ['burgee health', 'where the variables of this shell say that it listens'],
      ['burgee health --url http://10.0.0.7:4242/health', 'somewhere else'],
    ],
    options: async () => (await import('./health-command.ts')).HEALTH_OPTIONS,
    run: async (argv) => (await import('./health-command.ts')).runHealth(argv),
  },
  'reset-password': {
    group: 'Operate',
    summary: 'Prints a new password for an administrator, or the user named; the server may be running.',
    operand: '[name]',
    examples: [['burgee reset-password admin', 'whoever can read the database may do this']],
    options: async () => (await import('./reset-command.ts')).RESET_OPTIONS,
    run: async (argv) => (await import('./reset-command.ts')).runReset(argv),
  },
  backup: {
    group: 'Operate',
    summary: 'Writes the embedded database into a new file; the server may be running.',
    operand: 'FILE',
    takesFile: true,
    examples: [['burgee backup /backups/burgee-$(date +%F).db', 'a file per day']],
    codes: NOT_ON_POSTGRES,
    options: async () => (await import('./backup-command.ts')).BACKUP_OPTIONS,
    run: async (argv) => (await import('./backup-command.ts')).runBackup(argv),
  },
  restore: {
    group: 'Operate',
    summary: 'Puts a backup in the place of the embedded database, which is kept; no server may be running.',
    operand: 'FILE',
    takesFile: true,
    examples: [['burgee restore /backups/burgee-2026-11-01.db', 'the database before is kept beside it']],
    codes: NOT_ON_POSTGRES,
    options: async () => (await import('./backup-command.ts')).BACKUP_OPTIONS,
    run: async (argv) => (await import('./backup-command.ts')).runRestore(argv),
  },
  import: {
    group: 'Operate',
    summary:
      'Brings what another server holds into the database: flags, tokens, people, history. The other one is only read.',
    examples: [
      [
        'BURGEE_IMPORT_DATABASE_URL=postgres://… burgee import --dry-run',
        'an Unleash database: what would be imported, and what would differ',
      ],
      [
        'BURGEE_IMPORT_DATABASE_URL=postgres://… burgee import --data-dir /var/lib/burgee',
        'into an embedded database that nobody uses yet; all or nothing',
      ],
      ['burgee import --update', 'the same once more, for the short time of the cut-over'],
    ],
    codes: { 2: 'imported, and flags differ in what the report does not tell of' },
    options: async () => (await import('./import/import-options.ts')).IMPORT_OPTIONS,
    run: async (argv) => (await import('./import/import-command.ts')).runImport(argv),
  },
  completion: {
    group: 'Shell',
    summary: 'Prints a script that completes commands and options, for bash, zsh or fish.',
    operand: 'SHELL',
    examples: [['eval "$(burgee completion bash)"', 'for this shell; in ~/.bashrc for all']],
    options: async () => ({}),
    run: async (argv) => (await import('./completion-command.ts')).runCompletion(argv, COMMANDS),
  },
}
