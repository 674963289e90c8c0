import type { Texts } from '../../text/en.ts'
import type { FlagSearch } from '../search-params.ts'

/** Filters that users add to the list, in the order of the menu. */
export const FILTER_FIELDS = ['state', 'status', 'type', 'stage', 'tag', 'createdBy'] as const
export type FilterField = (typeof FILTER_FIELDS)[number]

/** Returns the label of a filter. */
export const getFilterLabel = ({ flags, list }: Texts, field: FilterField): string =>
  ({
    state: flags.state,
    status: list.status,
    type: flags.type,
    stage: list.stage,
    tag: flags.tag,
    createdBy: list.createdBy,
  })[field]

/** Returns true if the URL contains a value of a filter. */
export const hasFilter = (search: FlagSearch, field: FilterField): boolean =>
  field === 'status' ? search.on !== undefined || search.off !== undefined : search[field] !== undefined

/** Returns the URL parameters that remove a filter. */
export const clearFilter = (field: FilterField): { [K in keyof FlagSearch]?: undefined } =>
  field === 'status' ? { on: undefined, off: undefined } : { [field]: undefined }
