import { ALL_ENVIRONMENTS, REACH } from '@burgee/protocol/administration/permission'

/** Permission of a role as the wire has it; the environment `*` means all of them. */
export interface Given {
  readonly name: string
  readonly environment?: string
}

/** What a role gives: permissions, those of one environment as `NAME in environment`. */
export type Chosen = ReadonlySet<string>

/** The entry of a permission, in an environment or in all. */
export const entryOf = (name: string, environment?: string): string =>
  environment === undefined || environment === '' || environment === ALL_ENVIRONMENTS
    ? name
    : `${name} in ${environment}`

/** What a stored role gives. */
export const chosenOf = (given: readonly Given[]): Chosen =>
  new Set(given.map(({ name, environment }) => entryOf(name, environment)))

/** Permissions to send, without some names. A permission for all environments is not repeated for a single one. */
export function givenBy(chosen: Chosen, without: readonly string[]): Given[] {
  return [...chosen].sort().flatMap((entry): Given[] => {
    const [name = '', environment] = entry.split(' in ')
    if (without.includes(name)) return []
    if (environment !== undefined) return chosen.has(name) ? [] : [{ name, environment }]
    return REACH.get(name) === 'environment' ? [{ name, environment: ALL_ENVIRONMENTS }] : [{ name }]
  })
}

/** With an entry, or without it. */
export function toggled(chosen: Chosen, entry: string): Chosen {
  const next = new Set(chosen)
  if (!next.delete(entry)) next.add(entry)
  return next
}
