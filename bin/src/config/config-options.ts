import type { OptionTable } from '@burgee/kit/options/options'
import { flag, list, oneOf, text } from '@burgee/kit/options/parsers'
import { SERVER_ACCESS_OPTIONS } from '../server-access-options.ts'

/** Options that select a server and its projects. */
const SERVER = {
  ...SERVER_ACCESS_OPTIONS,
  project: {
    parse: list,
    letter: 'p',
    default: ['default'],
    doc: 'Projects. With several projects, the files of each project are in a subfolder with its name.',
  },
} as const satisfies OptionTable

/** Options of `burgee export`. */
export const EXPORT_OPTIONS = {
  ...SERVER,
  out: { parse: text, doc: 'Folder for the files. Without it, the files are printed.' },
  flag: { parse: text, doc: 'Flag to export with the objects that it uses, instead of the whole project.' },
} as const satisfies OptionTable

const FILES = {
  ...SERVER,
  environment: { parse: text, doc: 'Environment to which the plan is limited.' },
  prune: {
    parse: flag,
    default: false,
    doc: 'Archive flags, and delete segments of the project, that no file describes.',
  },
  repository: {
    env: ['BURGEE_REPOSITORY', 'GITHUB_REPOSITORY', 'CI_PROJECT_PATH'],
    parse: text,
    doc: 'Repository of the files, for events and change requests.',
  },
  commit: {
    env: ['BURGEE_COMMIT', 'GITHUB_SHA', 'CI_COMMIT_SHA'],
    parse: text,
    doc: 'Commit of the files, for events and change requests.',
  },
} as const satisfies OptionTable

/** Formats of a plan. `github` prints Markdown for a comment on a pull request. */
export const PLAN_FORMATS = ['text', 'json', 'github'] as const
export type PlanFormat = (typeof PLAN_FORMATS)[number]

/** Options of `burgee plan`. */
export const PLAN_OPTIONS = {
  ...FILES,
  format: {
    parse: oneOf(PLAN_FORMATS),
    default: 'text',
    doc: 'Format of the plan: text, JSON, or Markdown for a comment on a pull request.',
  },
} as const satisfies OptionTable

/** Options of `burgee apply`. */
export const APPLY_OPTIONS = {
  ...FILES,
  plan: { parse: list, doc: 'Hash that `burgee plan` printed; with several projects one per project, in their order.' },
} as const satisfies OptionTable
