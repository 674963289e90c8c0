import { EVENTS, type EventType, isAdminEvent } from '@burgee/protocol/event'

/** Event groups with the prefixes of their event types. The first group that matches a type wins. */
const GROUPS = {
  places: ['feature-environment-', 'feature-strategy-', 'strategy-order-changed'],
  flags: ['feature-'],
  requests: ['change-'],
  targeting: ['segment-', 'context-field-', 'strategy-', 'default-strategy-', 'tag-'],
  projects: ['project-', 'environment-'],
  people: ['user-', 'group-', 'role-', 'service-account-', 'api-token-', 'pat-', 'public-signup-token-'],
  installation: [''],
} as const

/** Name of an event group. */
export type EventGroup = keyof typeof GROUPS

/** Groups in display order. */
const ORDER: readonly EventGroup[] = ['flags', 'places', 'requests', 'targeting', 'projects', 'people', 'installation']

function getEventGroup(type: string): EventGroup {
  const found = Object.entries(GROUPS).find(([, beginnings]) => beginnings.some((one) => type.startsWith(one)))
  return (found?.[0] ?? 'installation') as EventGroup
}

const isEventType = (type: string): type is EventType => Object.hasOwn(EVENTS, type)

/**
 * Returns the event types that the user can select, grouped. A type can be selected if the provider accepts it, this
 * server writes it, and the user may see it.
 */
export function groupEventChoices(
  types: readonly string[],
  isAdmin: boolean,
): readonly (readonly [group: EventGroup, types: readonly EventType[]])[] {
  const own = types.filter(isEventType).filter((type) => isAdmin || !isAdminEvent(type))
  const byGroup = Map.groupBy(own, getEventGroup)
  return ORDER.flatMap((group) => {
    const some = byGroup.get(group)
    return some === undefined ? [] : [[group, some] as const]
  })
}
