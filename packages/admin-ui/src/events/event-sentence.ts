import type { Event } from '@burgee/protocol/event'
import { getEventSubject } from './event-subject.ts'

/** Placeholders that a sentence template can contain. */
export type SentenceField =
  | 'flag'
  | 'environment'
  | 'project'
  | 'name'
  | 'request'
  | 'before'
  | 'after'
  | 'count'
  | 'label'

/** Part of a sentence: plain text, or the value of a placeholder. */
export interface SentencePart {
  readonly kind: SentenceField | 'text'
  readonly text: string
}

type Values = Readonly<Partial<Record<SentenceField, string>>>
type Fields = Readonly<Record<string, unknown>>

/** Templates of one language: verb phrases that follow the name of the author. */
export interface SentenceTexts {
  /** Templates keyed by event type, or by event type and case, such as `feature-strategy-update:raised`. */
  readonly sentences: Readonly<Record<string, string>>
  /** Templates for several events of the same type. */
  readonly runs: Readonly<Record<string, string>>
  /** Names of event types, for types that have no template. */
  readonly types: Readonly<Record<string, string>>
  readonly anyRun: string
  readonly other: string
  readonly user: (id: string) => string
}

/** Returns the parts of the sentence about an event, without its author. `getPersonName` names users by id. */
export function describeEvent(
  event: Event,
  texts: SentenceTexts,
  getPersonName: (id: number) => string | undefined = () => undefined,
): SentencePart[] {
  const values = { ...getValues(event, texts, getPersonName), label: texts.types[event.type] ?? event.type }
  const chosen = texts.sentences[`${event.type}:${getCase(event)}`] ?? texts.sentences[event.type]
  return fillTemplate(chosen ?? texts.other, values)
}

/** Returns the parts of the sentence about several events of the same type, without their author. */
export function describeRun(events: readonly Event[], texts: SentenceTexts): SentencePart[] {
  const type = events[0]?.type ?? ''
  const environments = new Set(events.map(({ environment }) => environment ?? ''))
  const flags = new Set(events.map(({ featureName }) => featureName ?? ''))
  return fillTemplate(texts.runs[type] ?? texts.anyRun, {
    count: String(events.length),
    label: texts.types[type] ?? type,
    environment: environments.size === 1 ? [...environments].join() : '',
    flag: flags.size === 1 ? [...flags].join() : '',
  })
}

/** Returns a sentence as plain text. */
export const joinParts = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join('')

/** Fills a template. Parts in brackets are left out if a placeholder in them has no value. */
function fillTemplate(template: string, values: Values): SentencePart[] {
  return template
    .split(/(\[[^\]]*\])/)
    .flatMap((piece) => (piece.startsWith('[') ? fillOptional(piece.slice(1, -1), values) : fill(piece, values)))
    .filter(({ text }) => text !== '')
}

function fillOptional(piece: string, values: Values): SentencePart[] {
  const parts = fill(piece, values)
  return parts.some(({ kind, text }) => kind !== 'text' && text === '') ? [] : parts
}

function fill(piece: string, values: Values): SentencePart[] {
  return piece.split(/(\{\w+\})/).map((part): SentencePart => {
    if (!part.startsWith('{')) return { kind: 'text', text: part }
    const kind = part.slice(1, -1) as SentenceField
    return { kind, text: values[kind] ?? '' }
  })
}

function getValues(event: Event, texts: SentenceTexts, getPersonName: (id: number) => string | undefined): Values {
  const [after, before] = [toFields(event.data), toFields(event.preData)]
  const state = { ...before, ...after }
  const userId = typeof state.userId === 'number' ? state.userId : undefined
  const person = userId === undefined ? undefined : (getPersonName(userId) ?? texts.user(String(userId)))
  const values = {
    flag: event.featureName ?? '',
    environment: event.environment ?? '',
    project: event.project ?? '',
    count: getCount(state),
    request: toText(state.changeRequestTitle),
  }
  if (event.type.startsWith('project-access-')) {
    return { ...values, name: person ?? texts.user(`#${toText(state.groupId)}`) }
  }
  if (event.type.startsWith('group-user-') || event.type === 'public-signup-token-user-added') {
    return { ...values, name: person ?? '', after: toText(state.groupName) || toText(state.name) }
  }
  return { ...values, name: getSubjectName(event, state), ...getStates(event.type, before, after) }
}

/** Returns the number of flags that an event is about; empty if unknown. */
const getCount = (state: Fields): string => toText(state.count) || String(toList(state.features).length || '')

/** Returns the name of the object of an event: the title that users gave it or, if there is none, its key. */
function getSubjectName(event: Event, state: Fields): string {
  const { type } = event
  if (/^(user|service-account)-/.test(type)) {
    return toText(state.name) || toText(state.username) || toText(state.email)
  }
  if (type.startsWith('pat-')) return toText(state.description)
  if (type.startsWith('addon-config-')) return toText(state.description) || toText(state.provider)
  if (type.startsWith('feature-link-')) return toText(state.title) || toText(state.url)
  if (type === 'feature-dependency-added') return toText(toFields(event.data).feature)
  if (type === 'feature-dependency-removed') return toText(toFields(event.preData).feature)
  if (type === 'instance-imported') return toText(state.source)
  if (/(un)?tagged$/.test(type) || type.startsWith('tag-')) return getEventSubject({ ...event, featureName: null })
  if (type.startsWith('project-') && !type.startsWith('project-environment-'))
    return toText(state.name) || (event.project ?? '')
  return getEventSubject({ ...event, featureName: null })
}

function getStates(type: string, before: Fields, after: Fields): Values {
  if (type === 'feature-strategy-update') {
    return { before: toPercent(before), after: toPercent(after) }
  }
  if (type === 'feature-project-change') return { before: toText(after.oldProject), after: toText(after.newProject) }
  if (type === 'features-promoted') return { before: toText(after.from) }
  if (type === 'config-applied' || type === 'config-drift')
    return { after: [after.repository, after.commit].map(toText).filter(Boolean).join('@') }
  if (type === 'feature-snoozed') return { after: toText(after.until).slice(0, 10) }
  return {}
}

/** Returns the case of an event, which is the part of a template's key after the colon. */
function getCase({ type, data, preData }: Event): string {
  const [before, after] = [toFields(preData), toFields(data)]
  if (type === 'feature-strategy-update') return getRolloutCase(before, after)
  if (/^(features-(exported|imported|promoted)|config-applied)$/.test(type))
    return getCount({ ...before, ...after }) === '1' ? 'one' : ''
  if (type.startsWith('setting-')) return getSettingCase(toText(after.id), before, after)
  if (type === 'user-updated') {
    if (after.resetLinkMade === true) return 'reset-link'
    return after.sessionsEnded === undefined ? '' : 'sessions'
  }
  if (type === 'change-request-configuration-updated') {
    return after.changeRequestsEnabled === false ? 'off' : 'on'
  }
  return ''
}

function getRolloutCase(before: Fields, after: Fields): string {
  const [was, is] = [toRollout(before), toRollout(after)]
  if (before.disabled !== after.disabled && after.disabled !== undefined && before.disabled !== undefined) {
    return after.disabled === true ? 'disabled' : 'enabled'
  }
  if (was === undefined || is === undefined || was === is) return ''
  return is > was ? 'raised' : 'lowered'
}

function getSettingCase(id: string, before: Fields, after: Fields): string {
  if (after.tokenChanged === true) return `${id}:token`
  if (typeof after.disabled === 'boolean') return `${id}:${after.disabled ? 'off' : 'on'}`
  if (typeof after.enabled === 'boolean' && before.enabled !== after.enabled)
    return `${id}:${after.enabled ? 'on' : 'off'}`
  return id
}

function toRollout(state: Fields): number | undefined {
  const share = Number.parseFloat(toText(toFields(state.parameters).rollout))
  return Number.isNaN(share) ? undefined : share
}

function toPercent(state: Fields): string {
  const share = toRollout(state)
  return share === undefined ? '' : `${share}%`
}

const toFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
