import { escapeNames } from '@burgee/kit/terminal-text'
import type { ConfigPlan } from '@burgee/protocol/administration/config-plan'
import type { PlanFormat } from './config-options.ts'

/** Plan with its project. */
export interface ProjectPlan extends ConfigPlan {
  readonly project: string
}

/** Marks the comment, so that a workflow can find and replace its own comment. */
const MARKER = '<!-- burgee plan -->'
/** Maximum number of changes in a comment: GitHub allows 65,536 characters. */
const MAX_ROWS = 200

/** Formats the plans of projects. `applyHint` is the command line that applies them. */
export function formatPlans(plans: readonly ProjectPlan[], format: PlanFormat, applyHint: string): string {
  if (format === 'json') return JSON.stringify(plans.length === 1 ? plans[0] : plans, undefined, 2)
  const safe = escapeNames(plans)
  const hasChanges = plans.some(({ changes }) => changes.length > 0)
  if (format === 'github') return [MARKER, ...safe.flatMap(formatComment)].join('\n')
  return [...safe.flatMap(formatText), ...(hasChanges ? ['', 'Apply this plan with:', `  ${applyHint}`] : [])].join(
    '\n',
  )
}

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function formatText(plan: ProjectPlan): string[] {
  const { project, changes } = plan
  if (changes.length === 0) return [`Project ${project}: no changes.`, ...formatNotes(plan)]
  return [
    `Project ${project}: ${formatCount(changes.length, 'change')}`,
    ...changes.map(({ name, sentence }) => `  ${name}: ${sentence}`),
    ...formatNotes(plan),
  ]
}

/** Lists what deserves attention: flags that are turned on, removals, reviews and missing permissions. */
function formatNotes({ changes, destructive, needsChangeRequest, missingPermissions, kept }: ProjectPlan): string[] {
  const enabled = changes.filter(({ enables }) => enables === true)
  return [
    ...formatNote(
      'Turns on',
      enabled.map(({ name, environment }) => `${name} in ${environment}`),
    ),
    ...formatNote(
      'Archives or deletes',
      destructive.map(({ name }) => name),
    ),
    ...formatNote(
      'Keeps',
      kept.map(({ kind, name, reason }) => `${kind} ${name}: ${reason}`),
    ),
    ...formatNote('Becomes a change request in', needsChangeRequest),
    ...formatNote('Missing permissions', missingPermissions),
  ]
}

const formatNote = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`${title}: ${items.join(', ')}`]

function formatComment(plan: ProjectPlan): string[] {
  const { project, changes } = plan
  const title = `### Flags of project ${toCode(project)}: ${changes.length === 0 ? 'no changes' : formatCount(changes.length, 'change')}`
  const rows = changes
    .slice(0, MAX_ROWS)
    .map(
      ({ kind, name, environment = '', sentence }) =>
        `| ${toCode(name)} | ${kind} | ${toText(environment)} | ${toText(sentence)} |`,
    )
  const rest = changes.length - rows.length
  return [
    title,
    '',
    ...(rows.length === 0 ? [] : ['| Name | Kind | Environment | Change |', '|---|---|---|---|', ...rows, '']),
    ...(rest > 0 ? [`And ${formatCount(rest, 'change')} more.`, ''] : []),
    ...formatNotes(plan).flatMap((note) => [toText(note), '']),
    ...(changes.length === 0 ? [] : [`Plan ${toCode(plan.plan)}`]),
  ]
}

/** Formats a name as code. Names with a backtick are written as text. */
const toCode = (name: string): string => (name.includes('`') ? toText(name) : `\`${name.replaceAll('|', '\\|')}\``)

/** Escapes the characters that begin markup, mentions and table cells in Markdown. */
const toText = (text: string): string =>
  text.replace(/[\\`*_[\]<>|#@~!]/g, (character) => `&#${character.charCodeAt(0)};`)
