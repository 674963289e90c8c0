import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import type { REQUEST_TEXTS } from './texts.ts'

type Words = Pick<(typeof REQUEST_TEXTS)['en'], 'actions' | 'turnOn' | 'turnOff' | 'proposedTitle' | 'andMore'>
type Change = ChangeRequest['features'][number]['changes'][number]

/** Title that the server gives to new requests. */
const DEFAULT_TITLE = /^Change request #\d+$/
/** Number of flags and segments that a title names. */
const MAX_NAMES = 2

/**
 * Returns the title for sending a draft: the title that a user has chosen, or one with the flags and segments and, if
 * all changes have the same action, the action.
 */
export function suggestTitle(request: Pick<ChangeRequest, 'title' | 'features' | 'segments'>, words: Words): string {
  const { title, features, segments } = request
  if (!DEFAULT_TITLE.test(title)) return title
  const changes = [...features.flatMap((feature) => feature.changes), ...segments]
  const names = [...features, ...segments].map(({ name }) => name)
  if (names.length === 0) return title
  const actions = new Set(changes.map((change) => describeAction(change, words)))
  const [action] = actions
  const subject = joinNames([...new Set(names)], words)
  return actions.size === 1 && action !== undefined ? words.proposedTitle(action, subject) : subject
}

function joinNames(names: readonly string[], words: Words): string {
  const shown = names.slice(0, MAX_NAMES).join(', ')
  return names.length > MAX_NAMES ? words.andMore(shown, String(names.length - MAX_NAMES)) : shown
}

function describeAction({ action, payload }: Pick<Change, 'action' | 'payload'>, words: Words): string {
  if (action !== 'updateEnabled') return (words.actions as Readonly<Record<string, string>>)[action] ?? action
  return (payload as { readonly enabled?: boolean }).enabled === true ? words.turnOn : words.turnOff
}
