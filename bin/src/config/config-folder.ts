import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compareText } from '@burgee/kit/compare-text'
import { type ConfigFile, MAX_CONFIG_FILE_LENGTH, MAX_CONFIG_FILES } from '@burgee/protocol/administration/config-plan'

/** Pattern for the path of a file within a folder, without parts that lead out of the folder. */
const SAFE_PATH = /^(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*\.yaml$/

/**
 * Reads the YAML files of a folder and its subfolders, sorted by path. Ignores names that begin with a dot, and does
 * not follow links. Throws an Error if the folder cannot be read, or contains more files or text than the limits allow.
 */
export function readConfigFolder(folder: string): ConfigFile[] {
  return listConfigPaths(folder).map((path) => readFile(folder, path))
}

/** Returns the paths of the files that `readConfigFolder` reads, sorted. Throws the same errors. */
export function listConfigPaths(folder: string): string[] {
  const paths: string[] = []
  const visit = (inside: string): void => {
    for (const entry of listEntries(join(folder, inside))) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) visit(path)
      else if (entry.isFile() && /\.ya?ml$/.test(entry.name)) paths.push(path)
      if (paths.length > MAX_CONFIG_FILES) throw new Error(`${folder} has more than ${MAX_CONFIG_FILES} files`)
    }
  }
  visit('')
  return paths.sort(compareText)
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    throw new Error(`Cannot read the folder ${folder} (${(error as NodeJS.ErrnoException).code})`)
  }
}

function readFile(folder: string, path: string): ConfigFile {
  const place = join(folder, path)
  const { size } = statSync(place)
  if (size > MAX_CONFIG_FILE_LENGTH) throw new Error(`${place} is longer than ${MAX_CONFIG_FILE_LENGTH} bytes`)
  return { path, content: readFileSync(place, 'utf8') }
}

/** Result of an export to a folder. */
export interface WrittenFolder {
  readonly written: number
  /** Paths of YAML files in the folder that the export did not write. */
  readonly others: readonly string[]
}

/** Writes files into a folder. Leaves unchanged files and all other files as they are. */
export function writeConfigFolder(folder: string, files: readonly ConfigFile[]): WrittenFolder {
  mkdirSync(folder, { recursive: true })
  const before = new Map(readConfigFolder(folder).map(({ path, content }) => [path, content]))
  let written = 0
  for (const { path, content } of files) {
    if (!SAFE_PATH.test(path)) throw new Error(`The server sent a file with the path ${JSON.stringify(path)}`)
    if (before.get(path) !== content) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
      written += 1
    }
    before.delete(path)
  }
  return { written, others: [...before.keys()] }
}
