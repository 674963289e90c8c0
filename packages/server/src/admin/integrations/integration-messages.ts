import type { Event } from '@burgee/protocol/event'
import { describeStrategyDifferences } from './strategy-differences.ts'

/** Formatting of names and links for one messenger. */
export interface Markup {
  readonly bold: (text: string) => string
  readonly link: (text: string, url: string) => string
}

/** Message that describes an event. */
export interface Message {
  readonly text: string
  /** Page that shows the subject of the message; undefined if there is none. */
  readonly url: string | undefined
}

const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const escapeMarkdown = (text: string) => text.replace(/[\\*[\]<>`]/g, '\\$&')

/** Slack formatting. Source: message formatting in Slack's developer documentation. */
export const SLACK: Markup = {
  bold: (text) => `*${escapeSlack(text)}*`,
  link: (text, url) => `*<${url}|${escapeSlack(text)}>*`,
}

/** Formatting with Markdown, for Teams and Datadog. */
export const MARKDOWN: Markup = {
  bold: (text) => `*${escapeMarkdown(text)}*`,
  link: (text, url) => `*[${escapeMarkdown(text)}](${url})*`,
}

interface MessageParts {
  readonly event: Event
  readonly flag: string
  readonly project: string
  readonly environment: string
  readonly strategy: string
  readonly tag: string
}

/** Message text that follows the name of the event's author, by event type. Source: wire protocol */
const TEXTS: Readonly<Record<string, (parts: MessageParts) => string>> = {
  'feature-created': ({ flag, project }) => `created ${flag} in project ${project}`,
  'feature-archived': ({ flag, project }) => `archived ${flag} in project ${project}`,
  'feature-revived': ({ flag, project }) => `revived ${flag} in project ${project}`,
  'feature-deleted': ({ flag, project }) => `deleted ${flag} in project ${project}`,
  'feature-updated': ({ flag, project }) => `updated ${flag} in project ${project}`,
  'feature-metadata-updated': ({ flag, project }) => `updated ${flag} metadata in project ${project}`,
  'feature-environment-enabled': (parts) => `enabled ${inEnvironment(parts)}`,
  'feature-environment-disabled': (parts) => `disabled ${inEnvironment(parts)}`,
  'feature-strategy-add': (parts) => `added strategy ${parts.strategy} to ${inEnvironment(parts)}`,
  'feature-strategy-remove': (parts) => `removed strategy ${parts.strategy} from ${inEnvironment(parts)}`,
  'feature-strategy-update': ({ event, flag, project, strategy, environment }) =>
    `updated ${flag} in project ${project} by updating strategy ${strategy} in ${environment}${describeStrategyDifferences(event)}`,
  'feature-variants-updated': ({ flag, project }) => `updated variants for ${flag} in project ${project}`,
  'feature-environment-variants-updated': (parts) => `updated variants for ${inEnvironment(parts)}`,
  'feature-stale-on': ({ flag, project }) => `marked ${flag} as stale in project ${project}`,
  'feature-stale-off': ({ flag, project }) => `removed the stale marking on ${flag} in project ${project}`,
  'feature-potentially-stale-on': ({ flag, project }) => `marked ${flag} as potentially stale in project ${project}`,
  'delivery-completed': (parts) => `confirmed the last change of ${inEnvironment(parts)} everywhere`,
  'delivery-overdue': (parts) => `is still waiting for processes without the last change of ${inEnvironment(parts)}`,
  'feature-project-change': ({ flag, project }) => `moved ${flag} to project ${project}`,
  'feature-tagged': ({ flag, tag, project }) => `tagged ${flag} with ${tag} in project ${project}`,
  'feature-untagged': ({ flag, tag, project }) => `untagged ${flag} with ${tag} in project ${project}`,
}

const inEnvironment = ({ flag, environment, project }: MessageParts) =>
  `${flag} for the ${environment} environment in project ${project}`

/** Describes an event as a sentence; `baseUrl` is the address of the admin UI. */
export function buildMessage(event: Event, { bold, link }: Markup, baseUrl: string): Message {
  const url = buildUrl(event, baseUrl)
  const { type, featureName, project, environment } = event
  const isLinked = featureName !== null && url !== undefined && !isGone(event)
  const parts: MessageParts = {
    event,
    flag: isLinked ? link(featureName, url) : bold(featureName ?? ''),
    project: project === null ? '' : link(project, `${baseUrl}/projects/${encodeURIComponent(project)}`),
    environment: bold(environment ?? ''),
    strategy: bold(getText(event, 'name')),
    tag: bold(`${getText(event, 'type')}:${getText(event, 'value')}`),
  }
  const where = [
    ...(featureName === null ? [] : [`of ${parts.flag}`]),
    ...(environment === null ? [] : [`in ${parts.environment}`]),
    ...(project === null ? [] : [`in project ${parts.project}`]),
  ]
  const text = TEXTS[type]?.(parts) ?? ['caused the event', bold(type), ...where].join(' ')
  return { text: `${bold(event.createdBy)} ${text}`, url }
}

const isGone = ({ type }: Event) => type === 'feature-archived' || type === 'feature-deleted'

function buildUrl(event: Event, baseUrl: string): string | undefined {
  const { project, featureName, type } = event
  if (project === null) return undefined
  const ofProject = `${baseUrl}/projects/${encodeURIComponent(project)}`
  if (featureName === null) return ofProject
  if (isGone(event)) return `${ofProject}/archive`
  const ofFlag = `${ofProject}/features/${encodeURIComponent(featureName)}`
  return type.endsWith('variants-updated') ? `${ofFlag}/variants` : ofFlag
}

/** Returns a string property from the state after the change or, if there is none, from the state before the change. */
function getText({ data, preData }: Event, name: string): string {
  for (const state of [data, preData]) {
    const value = typeof state === 'object' && state !== null ? (state as Record<string, unknown>)[name] : undefined
    if (typeof value === 'string') return value
  }
  return ''
}
