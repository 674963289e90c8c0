import { execFileSync } from 'node:child_process'

/** Revision that is checked out. */
export interface GitRevision {
  readonly head: string
  /** Undefined if no branch is checked out, as in most CI jobs. */
  readonly branch: string | undefined
  /** Time of the commit, in milliseconds since 1970. */
  readonly commitTime: number
  /** Path of the folder relative to the root of the repository, ending with `/`; empty for the root. */
  readonly prefix: string
}

/** Returns the revision that is checked out in a folder; undefined if git is not installed or there is no commit. */
export function readGitRevision(folder: string): GitRevision | undefined {
  try {
    const [head = '', seconds = ''] = run(folder, ['log', '-1', '--format=%H %ct']).split(' ')
    const branch = run(folder, ['rev-parse', '--abbrev-ref', 'HEAD'])
    const prefix = run(folder, ['rev-parse', '--show-prefix'])
    return { head, branch: branch === 'HEAD' ? undefined : branch, commitTime: Number(seconds) * 1000, prefix }
  } catch {
    return undefined
  }
}

function run(folder: string, args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}
