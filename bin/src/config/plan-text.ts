import { escapeNames } from '@burgee/kit/terminal-text'
import type { ConfigPlan, FlagImpact } from '@burgee/protocol/administration/config-plan'
import type { PlanFormat } from './config-options.ts'

/** Plan and the project that it belongs to. */
export interface ProjectPlan extends ConfigPlan {
  readonly project: string
}

/** Marker in the comment, by which a workflow finds its earlier comment to replace it. */
const MARKER = '<!-- burgee plan -->'
/** Maximum length of a comment. GitHub allows 65,536 characters. */
const MAX_COMMENT_LENGTH = 60_000
/** Maximum length of a sentence in a comment, before its markup is escaped. */
const MAX_SENTENCE_LENGTH = 500
/** Maximum length of a note in a comment. */
const MAX_NOTE_LENGTH = 1500

/** Formats the plans of projects. `applyHint` is the command line that applies the plans. */
export function formatPlans(plans: readonly ProjectPlan[], format: PlanFormat, applyHint: string): string {
  if (format === 'json') return JSON.stringify(plans.length === 1 ? plans[0] : plans, undefined, 2)
  const safe = escapeNames(plans)
  const hasChanges = plans.some(({ changes }) => changes.length > 0)
  if (format === 'github') return formatComments(safe)
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
    ...formatImpacts(plan),
    ...formatNotes(plan),
  ]
}

function formatImpacts(plan: ProjectPlan): string[] {
  const items = listImpacts(plan)
  return items.length === 0 ? [] : ['Impact on recent traffic:', ...items.map((item) => `  ${item}`)]
}

/** Describes how sampled evaluations would change, by flag and environment. */
function listImpacts({ impacts = [], isImpactIncomplete = false }: Partial<ConfigPlan>): string[] {
  const items = impacts.map(({ flag, environment, impact }) => `${flag} in ${environment}: ${describeImpact(impact)}`)
  return [...items, ...(isImpactIncomplete ? ['The impact on some flags is not shown.'] : [])]
}

function describeImpact({ evaluations, offToOn, onToOff, otherVariant }: FlagImpact['impact']): string {
  if (evaluations === 0) return 'No evaluations of this flag sampled yet.'
  const kinds = [
    { count: offToOn, effect: 'from off to on' },
    { count: onToOff, effect: 'from on to off' },
    { count: otherVariant, effect: 'to another variant' },
  ].filter(({ count }) => count !== 0)
  const last = `of the last ${formatNumber(evaluations)} evaluations`
  if (kinds.length === 0) return `None ${last} would change.`
  const isHidden = kinds.some(({ count }) => count === null)
  const total = kinds.reduce((sum, { count }) => sum + (count ?? 0), 0)
  const parts = kinds.map(({ count, effect }) => `${count === null ? 'a few' : formatNumber(count)} ${effect}`)
  return `${isHidden ? 'Some' : formatNumber(total)} ${last} would change: ${parts.join(', ')}.`
}

const formatNumber = (value: number): string => value.toLocaleString('en-US')

/** Title of a note, and the objects that the note lists. */
interface PlanNote {
  readonly title: string
  readonly items: readonly string[]
}

/** Lists changes that deserve attention: flags that are turned on, removals, reviews and missing permissions. */
function listNotes(plan: ProjectPlan): PlanNote[] {
  const {
    changes,
    destructive,
    needsChangeRequest,
    missingPermissions,
    kept,
    obstacles,
    warnings,
    released = [],
  } = plan
  const enabled = changes.filter(({ enables }) => enables === true)
  const toReason = ({ kind, name, reason }: ProjectPlan['kept'][number]) => `${kind} ${name}: ${reason}`
  const notes = [
    { title: 'Turns on', items: [...new Set(enabled.map(({ name, environment }) => `${name} in ${environment}`))] },
    { title: 'Archives or deletes', items: destructive.map(({ name }) => name) },
    { title: 'No longer managed', items: released.map(({ kind, name, path }) => `${kind} ${name} (${path} is gone)`) },
    { title: 'Keeps', items: kept.map(toReason) },
    { title: 'Becomes a change request in', items: needsChangeRequest },
    { title: 'Missing permissions', items: missingPermissions },
    { title: 'Cannot be applied', items: obstacles.map(toReason) },
    { title: 'SDKs differ', items: warnings.map(toReason) },
  ]
  return notes.filter(({ items }) => items.length > 0)
}

const formatNotes = (plan: ProjectPlan): string[] =>
  listNotes(plan).map(({ title, items }) => `${title}: ${items.join(', ')}`)

/** Formats a comment for a pull request. Cuts long plans, so that GitHub accepts the comment. */
function formatComments(plans: readonly ProjectPlan[]): string {
  const sections = [MARKER]
  let left = MAX_COMMENT_LENGTH
  for (const [index, plan] of plans.entries()) {
    const rest = plans.length - index
    const section = formatComment(plan, Math.floor(left / rest))
    if (section.length > left) return [...sections, `And ${formatCount(rest, 'project')} more.`].join('\n')
    left -= section.length
    sections.push(section)
  }
  return sections.join('\n')
}

/** Formats the plan of a project. Lists as many changes as fit into a given length. */
function formatComment(plan: ProjectPlan, maxLength: number): string {
  const { project, changes } = plan
  const count = changes.length === 0 ? 'no changes' : formatCount(changes.length, 'change')
  const impact = { title: 'Impact on recent traffic', items: listImpacts(plan) }
  const shownNotes = [...(impact.items.length === 0 ? [] : [impact]), ...listNotes(plan)]
  const notes = shownNotes.flatMap((note) => [formatShortNote(note), ''])
  const end = [...notes, ...(changes.length === 0 ? [] : [`Plan ${toCode(plan.plan)}`])]
  const all = changes.map(
    ({ kind, name, environment = '', sentence }) =>
      `| ${toCode(name)} | ${kind} | ${toText(environment)} | ${toText(shorten(sentence, MAX_SENTENCE_LENGTH))} |`,
  )
  const rows = takeFitting(all, maxLength - end.join('\n').length)
  const rest = changes.length - rows.length
  const table = rows.length === 0 ? [] : ['| Name | Kind | Environment | Change |', '|---|---|---|---|', ...rows, '']
  return [
    `### Flags of project ${toCode(project)}: ${count}`,
    '',
    ...table,
    ...(rest > 0 ? [`And ${formatCount(rest, 'change')} more.`, ''] : []),
    ...end,
  ].join('\n')
}

function formatShortNote({ title, items }: PlanNote): string {
  const shown = takeFitting(
    items.map((item) => toText(shorten(item, MAX_SENTENCE_LENGTH))),
    MAX_NOTE_LENGTH,
  )
  const rest = items.length - shown.length
  if (shown.length === 0) return `${title}: ${formatCount(rest, 'object')}`
  return `${title}: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/**
 * Returns as many strings from the start of the list as fit into a given total length. Counts two additional characters
 * per string for the separator.
 */
function takeFitting(texts: readonly string[], maxLength: number): readonly string[] {
  let length = 0
  const end = texts.findIndex((text) => {
    length += text.length + 2
    return length > maxLength
  })
  return end < 0 ? texts : texts.slice(0, end)
}

/** Cuts a text. Never splits a surrogate pair. */
const shorten = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…`

/** Formats a name as code. Names that contain a backtick are written as plain text. */
const toCode = (name: string): string => (name.includes('`') ? toText(name) : `\`${name.replaceAll('|', '\\|')}\``)

/** Escapes the characters that begin markup, mentions and table cells in Markdown. */
const toText = (text: string): string =>
  text.replace(/[\\`*_[\]<>|#@~!]/g, (character) => `&#${character.charCodeAt(0)};`)
