import type { Environment } from '@burgee/protocol/project'

/** Returns true if an environment serves real users, so that changes there need confirmation. */
export const isLive = ({ type, protected: isProtected = false }: { type: string; protected?: boolean }): boolean =>
  type.toLowerCase() === 'production' || isProtected

/** Returns the environment with the given name; undefined if it is unknown or not loaded. */
export const findEnvironment = (all: readonly Environment[] | undefined, name: string): Environment | undefined =>
  all?.find((one) => one.name === name)

/** Returns the environments that serve real users or whose type is unknown, so that changes there need confirmation. */
export function filterLive(names: readonly string[], all: readonly Environment[] | undefined): string[] {
  return names.filter((name) => {
    const known = findEnvironment(all, name)
    return known === undefined || isLive(known)
  })
}
