const STORED = 'burgee-project'
/** Project that every installation starts with. */
const FIRST = 'default'

/** Returns the last viewed project, which the user may no longer be able to see. */
export const lastProject = (): string => localStorage.getItem(STORED) ?? FIRST

/** Stores the viewed project. */
export const rememberProject = (project: string): void => localStorage.setItem(STORED, project)

/** Clears a removed project, so that nothing links to it. */
export function leaveProject(project: string): void {
  if (localStorage.getItem(STORED) === project) localStorage.removeItem(STORED)
}

/**
 * Returns the project to show: the wanted one, else the initial project of every installation, else the first;
 * undefined if there is none.
 */
export function projectAmong(projects: readonly { readonly id: string }[], wanted: string): string | undefined {
  const ids = projects.map(({ id }) => id)
  return [wanted, FIRST].find((one) => ids.includes(one)) ?? ids[0]
}
