import { SCIM_LIST, type ScimList, type ScimQuery, type ScimResource } from '@burgee/protocol/administration/scim'
import type { ListPage } from '@burgee/storage/queries/access/provisioned'

const MAX_PAGE_SIZE = 200
const DEFAULT_PAGE_SIZE = 100
/** Largest offset that both databases accept for every list. A page that starts there is empty. */
const MAX_START_INDEX = 2_147_483_647

/**
 * Returns the offset and length of the requested part of a list; values out of bounds are clamped. Source: RFC 7644
 * §3.4.2.4
 */
export function getPart({ startIndex = 1, count = DEFAULT_PAGE_SIZE }: ScimQuery): ListPage {
  return {
    offset: Math.min(Math.max(startIndex, 1), MAX_START_INDEX) - 1,
    limit: Math.min(Math.max(count, 0), MAX_PAGE_SIZE),
  }
}

/** Builds the response for a list. */
export function toScimList(resources: readonly ScimResource[], total: number, query: ScimQuery): ScimList {
  const Resources = resources.map((one) => selectAttributes(one, query))
  const startIndex = getPart(query).offset + 1
  return { schemas: [SCIM_LIST], totalResults: total, startIndex, itemsPerPage: Resources.length, Resources }
}

const ALWAYS = new Set(['schemas', 'id'])

/** Applies `attributes` and `excludedAttributes` to a resource. Source: RFC 7644 §3.9 */
export function selectAttributes(
  resource: ScimResource,
  { attributes, excludedAttributes }: ScimQuery,
): Record<string, unknown> {
  const wanted = parseNames(attributes)
  const unwanted = parseNames(excludedAttributes)
  const isShown = (key: string) =>
    ALWAYS.has(key) || (wanted.size === 0 ? !unwanted.has(key.toLowerCase()) : wanted.has(key.toLowerCase()))
  return Object.fromEntries(Object.entries(resource).filter(([key]) => isShown(key)))
}

/** Returns true if the response must contain an attribute that requires a database query. */
export function isIncluded(name: string, query: ScimQuery): boolean {
  return (
    selectAttributes({ schemas: [], id: '', meta: { resourceType: '', location: '' }, [name]: '' }, query)[name] !==
    undefined
  )
}

/** Returns the part of each name before the first dot, in lower case. */
function parseNames(text = ''): ReadonlySet<string> {
  const names = text.split(',').map((name) => name.trim().split('.', 1)[0]?.toLowerCase() ?? '')
  return new Set(names.filter((name) => name !== ''))
}
