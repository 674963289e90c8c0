import { isObject } from '@burgee/kit/input/is-object'
import { SourceRefused } from '../model/source.ts'

type Json = Readonly<Record<string, unknown>>

/** Names of the lists in a flag that restrict its audience. Each of these properties must be a list if present. */
const FLAG_LISTS = ['targets', 'contextTargets', 'rules', 'prerequisites']
/** Names of the lists in a segment that restrict its audience. Each of these properties must be a list if present. */
export const SEGMENT_LISTS = ['included', 'excluded', 'includedContexts', 'excludedContexts', 'rules']

/**
 * Throws SourceRefused if parts of a flag's state in an environment are missing. `isListed` is true for states from API
 * lists. States from an API list may be summaries without rules.
 */
export function requireWholeState(state: Json, where: string, isListed = false): void {
  const isSummary = !('fallthrough' in state) || ('_summary' in state && !('rules' in state))
  if (isListed && isSummary)
    throw new SourceRefused(`${where} is a summary without its rules: request the list with summary=0`)
  if (typeof state.on !== 'boolean') throw new SourceRefused(`"on" of ${where} must be true or false`)
  requireLists(state, FLAG_LISTS, where)
}

/** Throws SourceRefused if one of the named properties is present but not a list. */
export function requireLists(json: Json, names: readonly string[], where: string): void {
  const name = names.find((one) => json[one] !== undefined && json[one] !== null && !Array.isArray(json[one]))
  if (name !== undefined) throw new SourceRefused(`"${name}" of ${where} is not a list`)
}

/**
 * Returns the entries of an API list. Throws SourceRefused if the response contains only the first page of the list.
 */
export function requireWholeList({ items, totalCount, _links: links }: Json, path: string): readonly unknown[] {
  if (!Array.isArray(items)) throw new SourceRefused(`"items" of ${path} is not a list`)
  const hasNext = isObject(links) && links.next !== undefined && links.next !== null
  if (hasNext || (typeof totalCount === 'number' && totalCount > items.length)) {
    const all = typeof totalCount === 'number' ? ` of ${totalCount}` : ''
    throw new SourceRefused(
      `${path} is one page with ${items.length}${all} entries: request the others with limit and offset, and merge them into one "items"`,
    )
  }
  return items
}

/**
 * Returns false for a deleted flag or segment, of which the document contains only a marker. Throws SourceRefused if
 * the marker is not a boolean.
 */
export function isPresent({ key, deleted }: Json): boolean {
  if (deleted !== undefined && deleted !== null && typeof deleted !== 'boolean')
    throw new SourceRefused(`"deleted" of ${String(key)} is not true or false`)
  return deleted !== true
}
