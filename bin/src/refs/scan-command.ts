import { basename, resolve } from 'node:path'
import { type OptionTable, type Parsed, parseOptions } from '@burgee/kit/options/options'
import { fetchUrl, flag, inHeader, integer, list, oneOf, text } from '@burgee/kit/options/parsers'
import type { CodeBranchInput, CodeRepositoryInput } from '@burgee/protocol/administration/code-references'
import { formatResult, JSON_OPTION } from '../json-option.ts'
import type { CommandOutput } from '../running.ts'
import { findFlagCalls } from './flag-calls.ts'
import { type GitRevision, readGitRevision } from './git-revision.ts'
import { ScannerClient } from './scanner-client.ts'
import { iterateSourceFiles, type SkippedFiles } from './source-files.ts'

/** Options of `burgee refs scan`. */
export const SCAN_OPTIONS = {
  url: { env: ['BURGEE_URL'], parse: fetchUrl, default: 'http://localhost:4242', doc: 'URL of the server.' },
  token: {
    env: ['BURGEE_TOKEN'],
    parse: inHeader(text),
    secret: true,
    letter: 't',
    doc: 'For `check` a backend token of all projects that the code uses; for `scan` a personal or admin token.',
  },
  project: {
    parse: list,
    default: ['default'],
    doc: 'Projects of the flags. References to flags in none of these projects are uploaded to the first project.',
  },
  repo: { parse: text, doc: 'Name of the repository. Default: the name of the folder.' },
  repoUrl: { parse: fetchUrl, doc: 'Web address of the repository, for links to the code.' },
  repoType: {
    parse: oneOf(['github', 'gitlab', 'bitbucket', 'custom']),
    doc: 'Kind of the repository, which decides the form of links.',
  },
  branch: { parse: text, doc: 'Name of the scanned branch. Default: the branch that is checked out.' },
  defaultBranch: { parse: text, doc: 'Branch whose references decide whether a flag is still in the code.' },
  revision: { parse: text, doc: 'Scanned revision. Default: the commit that is checked out.' },
  sequence: {
    parse: integer(0),
    doc: 'Order of uploads, such as the number of a build. Uploads that are not the latest are skipped.',
  },
  lines: { parse: flag, default: false, doc: 'Upload the source lines, too.' },
  dryRun: { parse: flag, default: false, doc: 'Scan without an upload.' },
  ...JSON_OPTION,
} as const satisfies OptionTable

type ScanOptions = Parsed<typeof SCAN_OPTIONS>
type References = NonNullable<CodeBranchInput['references']>

/** Scans the source files in a folder, and uploads the places where flags are used. */
export async function runScan(folder: string, argv: readonly string[], clock: () => number): Promise<CommandOutput> {
  const options = parseOptions(SCAN_OPTIONS, { env: process.env, argv })
  const { url, token, json, dryRun } = options
  if (token === undefined) throw new Error('--token or BURGEE_TOKEN is missing: a personal or admin token')
  const git = readGitRevision(folder)
  const target = readTarget(folder, options, git)
  const client = new ScannerClient(url, token)
  const projects = await mapFlagsToProjects(client, options.project)
  const { references, ...found } = scan(folder, { projects, options, prefix: git?.prefix ?? '' })
  const branch = {
    head: target.revision,
    syncTime: clock(),
    ...(git === undefined ? {} : { commitTime: git.commitTime }),
    ...(options.sequence === undefined ? {} : { updateSequenceId: options.sequence }),
    references,
  }
  let isStored = false
  if (!dryRun) {
    await client.putRepository(target.repository)
    isStored = await client.putBranch(target.repository.name, target.branch, branch)
  }
  const { repository, ...place } = target
  const result = { repository: repository.name, ...place, ...found, uploaded: isStored }
  const what = `${found.count} references to ${found.flags} flags in ${found.files} files`
  const how = dryRun ? 'not uploaded (dry run)' : isStored ? 'uploaded' : 'skipped: a later upload is stored'
  return { code: 0, text: formatResult(json, result, [`${repository.name} ${place.branch}: ${what}, ${how}`]) }
}

interface Target {
  readonly repository: CodeRepositoryInput
  readonly branch: string
  readonly revision: string
}

function readTarget(folder: string, options: ScanOptions, git: GitRevision | undefined): Target {
  const branch = options.branch ?? git?.branch
  if (branch === undefined) throw new Error('No branch is checked out: give its name with --branch')
  const revision = options.revision ?? git?.head
  if (revision === undefined) throw new Error('The folder is in no git repository: give --revision')
  const { repo, repoUrl, repoType, defaultBranch } = options
  const name = repo ?? basename(resolve(folder)).replace(/[^\w.-]+/g, '-')
  const repository = {
    name,
    ...(repoUrl === undefined ? {} : { sourceLink: repoUrl }),
    ...(repoType === undefined ? {} : { type: repoType }),
    ...(defaultBranch === undefined ? {} : { defaultBranch }),
  }
  return { repository, branch, revision }
}

async function mapFlagsToProjects(client: ScannerClient, projects: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const project of projects) {
    for (const name of await client.listFlags(project)) found.set(name, project)
  }
  return found
}

interface Scan {
  readonly projects: ReadonlyMap<string, string>
  readonly options: Pick<ScanOptions, 'project' | 'lines'>
  /** Path of the folder relative to the root of its repository. */
  readonly prefix: string
}

function scan(folder: string, { projects, options, prefix }: Scan) {
  const references: References = []
  const flags = new Set<string>()
  const skipped: SkippedFiles = { tooLarge: 0, unreadable: 0 }
  let files = 0
  let count = 0
  for (const { path, text: source } of iterateSourceFiles(folder, skipped)) {
    files += 1
    const lines = options.lines ? source.split('\n') : []
    const hunks = [...findFlagCalls(source)].map(({ flag: flagKey, line }) => ({
      flagKey,
      projKey: projects.get(flagKey) ?? options.project[0] ?? '',
      startingLineNumber: line,
      ...(options.lines ? { lines: lines[line - 1]?.trimEnd() ?? '' } : {}),
    }))
    for (const { flagKey } of hunks) flags.add(flagKey)
    count += hunks.length
    if (hunks.length > 0) references.push({ path: `${prefix}${path}`, hunks })
  }
  return { references, files, flags: flags.size, count, skipped }
}
