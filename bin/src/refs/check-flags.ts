import { findNearestName } from '@burgee/kit/options/nearest'
import { findFlagCalls } from './flag-calls.ts'
import { iterateSourceFiles, type SkippedFiles } from './source-files.ts'

/** Flag as it is in the document of an environment. */
export interface ListedFlag {
  readonly name: string
  readonly isStale: boolean
}

/**
 * SDK call with the name of a flag that does not exist (`missing`), or that should be removed from the code (`stale`).
 */
export interface FlagProblem {
  readonly kind: 'missing' | 'stale'
  readonly flag: string
  readonly path: string
  readonly line: number
  readonly column: number
  /** Similar name of an existing flag. */
  readonly suggestion?: string
}

/** Result of a check. */
export interface FlagCheck {
  readonly problems: readonly FlagProblem[]
  readonly calls: number
  /** Number of different flags that are named in calls. */
  readonly flags: number
  readonly files: number
  readonly skipped: SkippedFiles
}

/** Checks the calls of SDKs in the source files of a folder against the flags of a server. */
export function checkFlags(folder: string, known: readonly ListedFlag[]): FlagCheck {
  const staleByName = new Map(known.map(({ name, isStale }) => [name, isStale]))
  const suggest = createSuggestions([...staleByName.keys()])
  const problems: FlagProblem[] = []
  const requested = new Set<string>()
  const skipped: SkippedFiles = { tooLarge: 0, unreadable: 0 }
  let calls = 0
  let files = 0
  for (const { path, text } of iterateSourceFiles(folder, skipped)) {
    files += 1
    for (const { flag, line, column } of findFlagCalls(text)) {
      calls += 1
      requested.add(flag)
      const isStale = staleByName.get(flag)
      if (isStale === undefined) problems.push({ kind: 'missing', flag, path, line, column, ...suggest(flag) })
      else if (isStale) problems.push({ kind: 'stale', flag, path, line, column })
    }
  }
  return { problems, calls, flags: requested.size, files, skipped }
}

/** Returns a function that suggests a similar name, and compares each name with all others only once. */
function createSuggestions(names: readonly string[]): (flag: string) => Pick<FlagProblem, 'suggestion'> {
  const found = new Map<string, string | undefined>()
  return (flag) => {
    if (!found.has(flag)) found.set(flag, findNearestName(flag, names))
    const suggestion = found.get(flag)
    return suggestion === undefined ? {} : { suggestion }
  }
}
