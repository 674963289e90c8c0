/** A permission of a role, as the wire has it; without environment one of environments holds in all. */
export interface Given {
  readonly name: string
  readonly environment?: string
}

/** What a role gives: permissions, those of one environment as `NAME in environment`. */
export type Chosen = ReadonlySet<string>

/** The entry of a permission, in an environment or in all. */
export const entryOf = (name: string, environment?: string): string =>
  environment === undefined || environment === '' ? name : `${name} in ${environment}`

/** What a stored role gives. */
export const chosenOf = (given: readonly Given[]): Chosen =>
  new Set(given.map(({ name, environment }) => entryOf(name, environment)))

/** The same as the wire wants it, without some names; what holds in all environments is not said again of one. */
export function givenBy(chosen: Chosen, without: readonly string[]): Given[] {
  return [...chosen]
    .sort()
    .map((entry): Given => {
      const [name = '', environment] = entry.split(' in ')
      return environment === undefined ? { name } : { name, environment }
    })
    .filter(({ name, environment }) => !without.includes(name) && !(environment !== undefined && chosen.has(name)))
}

/** With an entry, or without it. */
export function toggled(chosen: Chosen, entry: string): Chosen {
  const next = new Set(chosen)
  if (!next.delete(entry)) next.add(entry)
  return next
}
