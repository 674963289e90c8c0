import { ALL_ENVIRONMENTS, REACH } from '@burgee/protocol/administration/permission'

/** Permission of a role on the wire. The environment `*` means all environments. */
export interface Given {
  readonly name: string
  readonly environment?: string
}

/** Set of a role's permissions. A permission for one environment is written `NAME in environment`. */
export type Chosen = ReadonlySet<string>

/**
 * Returns the text that represents a permission in the set: its name, followed by the environment unless it is for all
 * environments.
 */
export const entryOf = (name: string, environment?: string): string =>
  environment === undefined || environment === '' || environment === ALL_ENVIRONMENTS
    ? name
    : `${name} in ${environment}`

/** Returns the permissions of a stored role. */
export const chosenOf = (given: readonly Given[]): Chosen =>
  new Set(given.map(({ name, environment }) => entryOf(name, environment)))

/**
 * Returns the permissions to send to the server, leaving out the names in `without`. A permission for all environments
 * is not repeated for single environments.
 */
export function givenBy(chosen: Chosen, without: readonly string[]): Given[] {
  return [...chosen].sort().flatMap((entry): Given[] => {
    const [name = '', environment] = entry.split(' in ')
    if (without.includes(name)) return []
    if (environment !== undefined) return chosen.has(name) ? [] : [{ name, environment }]
    return REACH.get(name) === 'environment' ? [{ name, environment: ALL_ENVIRONMENTS }] : [{ name }]
  })
}

/** Returns a copy of the set with the permission added, or removed if it was present. */
export function toggled(chosen: Chosen, entry: string): Chosen {
  const next = new Set(chosen)
  if (!next.delete(entry)) next.add(entry)
  return next
}
