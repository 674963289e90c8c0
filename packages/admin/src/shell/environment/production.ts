import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { Environment } from '@burgee/protocol/project'

/** Whether an environment is one that real users see: what is switched there is asked first. */
export const isLive = ({ type, protected: isProtected = false }: { type: string; protected?: boolean }): boolean =>
  type.toLowerCase() === 'production' || isProtected

/** The one of this name, as far as the list is known. */
export const environmentNamed = (all: readonly Environment[] | undefined, name: string): Environment | undefined =>
  all?.find((one) => one.name === name)

/** Those of some environments where real users get a flag, as it is on there. */
export function servedAmong(
  names: readonly string[],
  all: readonly Environment[] | undefined,
  flag: Pick<AdminFeature, 'environments'> | undefined,
): string[] {
  return names.filter((name) => {
    const known = environmentNamed(all, name)
    const isOn = flag?.environments.some((one) => one.name === name && one.enabled) === true
    return known !== undefined && isLive(known) && isOn
  })
}
