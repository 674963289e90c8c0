const STORED = 'burgee-project'
/** The project that every installation begins with. */
const FIRST = 'default'

/** The project that was looked at last: a guess, which the person may not see any more. */
export const lastProject = (): string => localStorage.getItem(STORED) ?? FIRST

/** Somebody looks at a project. */
export const rememberProject = (project: string): void => localStorage.setItem(STORED, project)

/** Forgets a project that is gone, so that nothing leads back to it. */
export function leaveProject(project: string): void {
  if (localStorage.getItem(STORED) === project) localStorage.removeItem(STORED)
}

/**
 * The project to show a person who sees these, by name: the wanted one, else the one that every installation begins with,
 * else the first; undefined where there is none.
 */
export function projectAmong(projects: readonly { readonly id: string }[], wanted: string): string | undefined {
  const ids = projects.map(({ id }) => id)
  return [wanted, FIRST].find((one) => ids.includes(one)) ?? ids[0]
}
