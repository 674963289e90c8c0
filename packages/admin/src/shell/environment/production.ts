import type { Environment } from '@burgee/protocol/project'

/** Whether an environment is one that real users see: what is switched there is asked first. */
export const isLive = ({ type, protected: isProtected = false }: { type: string; protected?: boolean }): boolean =>
  type.toLowerCase() === 'production' || isProtected

/** The one of this name, as far as the list is known. */
export const environmentNamed = (all: readonly Environment[] | undefined, name: string): Environment | undefined =>
  all?.find((one) => one.name === name)

/** Those of some environments that real users see, or that are not known: what is done there is asked first. */
export function liveAmong(names: readonly string[], all: readonly Environment[] | undefined): string[] {
  return names.filter((name) => {
    const known = environmentNamed(all, name)
    return known === undefined || isLive(known)
  })
}
