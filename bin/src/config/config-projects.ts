import { join } from 'node:path'
import { type OptionTable, type Parsed, parseOptions } from '@burgee/kit/options/options'
import { toSlashes } from '../refs/source-files.ts'
import type { ConfigBody, ConfigProject } from './config-client.ts'
import { readConfigFolder } from './config-folder.ts'
import type { PLAN_OPTIONS } from './config-options.ts'

const PROJECT_ID = /^[\w.~-]+$/

/** Returns the projects with their folders: the given folder, or its subfolders if there are several projects. */
export function listProjects(folder: string, projects: readonly string[]): ConfigProject[] {
  const names = [...new Set(projects)]
  for (const project of names) {
    if (!PROJECT_ID.test(project) || project.startsWith('.')) throw new Error(`"${project}" is not a valid project id`)
  }
  return names.map((project) => ({ project, folder: names.length === 1 ? folder : toSlashes(join(folder, project)) }))
}

/** Parses options after an optional folder. If no folder is given, uses `flags`. */
export function parseFolderOptions<T extends OptionTable>(
  table: T,
  argv: readonly string[],
): { readonly folder: string; readonly options: Parsed<T> } {
  const [first] = argv
  const hasFolder = first !== undefined && !first.startsWith('-')
  const options = parseOptions(table, { env: process.env, argv: hasFolder ? argv.slice(1) : argv })
  return { folder: hasFolder ? first : 'flags', options }
}

type FileOptions = Omit<Parsed<typeof PLAN_OPTIONS>, 'format'>

/** Reads the files of a project, with the options of a plan. Throws an Error for options that exclude each other. */
export function readBody(
  { folder }: ConfigProject,
  { prune, environment, repository, commit }: Pick<FileOptions, 'prune' | 'environment' | 'repository' | 'commit'>,
): ConfigBody {
  if ((repository === undefined) !== (commit === undefined)) throw new Error('Give --repository and --commit together')
  if (prune && environment !== undefined) throw new Error('--prune and --environment exclude each other')
  return {
    files: readConfigFolder(folder),
    prune,
    ...(environment === undefined ? {} : { environment }),
    ...(repository === undefined || commit === undefined ? {} : { source: { repository, commit } }),
  }
}
