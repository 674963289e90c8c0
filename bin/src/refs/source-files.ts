import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { IgnoreRules } from './ignore-rules.ts'

/** Source file and its text. */
export interface SourceFile {
  /** Path relative to the scanned folder, with `/` between its parts. */
  readonly path: string
  readonly text: string
}

/** Numbers of files that `iterateSourceFiles` skipped, by reason. */
export interface SkippedFiles {
  tooLarge: number
  unreadable: number
}

/** Maximum size of a source file. Larger files are generated code or data. */
const MAX_FILE_BYTES = 1024 * 1024
/** Folders that are never scanned, even if no `.gitignore` excludes them. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules'])
/** File extensions of documentation and data, which contain names of flags but no calls. */
const NO_SOURCE = /\.(?:md|mdx|rst|adoc|txt|json|jsonl|lock|csv|svg|map)$/i
/** Number of bytes at the start of a file that are searched for a NUL byte, which marks a binary file. */
const PROBED_BYTES = 8192

/** Patterns of a `.gitignore`, which apply to paths relative to its folder. */
interface FolderRules {
  readonly folder: string
  readonly rules: IgnoreRules
}

/**
 * Yields the source files below a folder in alphabetical order. Skips documentation, data, binary files, and files that
 * a `.gitignore` excludes, including a `.gitignore` in a parent folder of the same repository. Does not follow symbolic
 * links. Counts files that are too large or cannot be read in `skipped`. Throws an Error if the folder cannot be read.
 */
export function* iterateSourceFiles(folder: string, skipped: SkippedFiles): Generator<SourceFile> {
  const root = resolve(folder)
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) throw new Error(`${folder} is not a folder`)
  yield* iterateFolder(root, { root, ignored: readParentRules(root), skipped })
}

interface Walk {
  readonly root: string
  readonly ignored: readonly FolderRules[]
  readonly skipped: SkippedFiles
}

function* iterateFolder(folder: string, walk: Walk): Generator<SourceFile> {
  const ignored = [...walk.ignored, ...readRules(folder)]
  for (const entry of listEntries(folder, walk)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (SKIPPED_FOLDERS.has(entry.name) || isIgnored(`${path}${sep}`, ignored)) continue
      yield* iterateFolder(path, { ...walk, ignored })
    } else if (entry.isFile() && !NO_SOURCE.test(entry.name) && !isIgnored(path, ignored)) {
      const text = readText(path, walk.skipped)
      if (text !== undefined) yield { path: toSlashes(relative(walk.root, path)), text }
    }
  }
}

/** Returns the entries of a folder, sorted by name. A folder below the root that cannot be read counts as skipped. */
function listEntries(folder: string, { root, skipped }: Walk): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (folder === root) throw error
    skipped.unreadable += 1
    return []
  }
}

function readText(path: string, skipped: SkippedFiles): string | undefined {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) {
      skipped.tooLarge += 1
      return undefined
    }
    const bytes = readFileSync(path)
    return bytes.subarray(0, PROBED_BYTES).includes(0) ? undefined : bytes.toString('utf8')
  } catch {
    skipped.unreadable += 1
    return undefined
  }
}

/**
 * Returns the ignore rules from the root of the repository down to a folder, without the rules in the folder itself.
 */
function readParentRules(folder: string): FolderRules[] {
  const parents: string[] = []
  let top = folder
  while (!existsSync(join(top, '.git'))) {
    const parent = dirname(top)
    // outside a repository, rules of parent folders do not apply
    if (parent === top) return []
    parents.unshift(parent)
    top = parent
  }
  return parents.flatMap(readRules)
}

function readRules(folder: string): FolderRules[] {
  try {
    return [{ folder, rules: new IgnoreRules(readFileSync(join(folder, '.gitignore'), 'utf8')) }]
  } catch {
    return []
  }
}

/** Returns true if the last `.gitignore` with a matching pattern excludes a path. */
function isIgnored(path: string, all: readonly FolderRules[]): boolean {
  let result = false
  for (const { folder, rules } of all) {
    const found = rules.test(toSlashes(relative(folder, path) + (path.endsWith(sep) ? sep : '')))
    if (found.isIgnored || found.isIncluded) result = found.isIgnored
  }
  return result
}

/** Returns a path with `/` between its parts, on every operating system. */
export const toSlashes = (path: string): string => path.replaceAll(sep, '/')
