import { ALL_ENVIRONMENTS, REACH } from '@burgee/protocol/administration/permission'

/** Permission of a role on the wire. The environment `*` means all environments. */
export interface Given {
  readonly name: string
  readonly environment?: string
}

/** Permissions of a role. A permission for one environment is `NAME in environment`. */
export type Chosen = ReadonlySet<string>

/** Returns the entry of a permission, in one environment or in all. */
export const entryOf = (name: string, environment?: string): string =>
  environment === undefined || environment === '' || environment === ALL_ENVIRONMENTS
    ? name
    : `${name} in ${environment}`

/** Returns the permissions of a stored role. */
export const chosenOf = (given: readonly Given[]): Chosen =>
  new Set(given.map(({ name, environment }) => entryOf(name, environment)))

/**
 * Returns the permissions to send, except for some names. A permission for all environments is not repeated for single
 * ones.
 */
export function givenBy(chosen: Chosen, without: readonly string[]): Given[] {
  return [...chosen].sort().flatMap((entry): Given[] => {
    const [name = '', environment] = entry.split(' in ')
    if (without.includes(name)) return []
    if (environment !== undefined) return chosen.has(name) ? [] : [{ name, environment }]
    return REACH.get(name) === 'environment' ? [{ name, environment: ALL_ENVIRONMENTS }] : [{ name }]
  })
}

/** Adds the entry, or removes it if present. */
export function toggled(chosen: Chosen, entry: string): Chosen {
  const next = new Set(chosen)
  if (!next.delete(entry)) next.add(entry)
  return next
}
