const STORAGE_KEY = 'burgee-project'
/** Project that every installation starts with. */
const INITIAL_PROJECT = 'default'

/** Returns the last viewed project, which the user may no longer be able to see. */
export const readLastProject = (): string => localStorage.getItem(STORAGE_KEY) ?? INITIAL_PROJECT

/** Stores the viewed project. */
export const storeLastProject = (project: string): void => localStorage.setItem(STORAGE_KEY, project)

/** Clears a removed project, so that nothing links to it. */
export function clearLastProject(project: string): void {
  if (localStorage.getItem(STORAGE_KEY) === project) localStorage.removeItem(STORAGE_KEY)
}

/**
 * Returns the project to show: the wanted one, else the initial project of every installation, else the first;
 * undefined if there is none.
 */
export function selectProject(projects: readonly { readonly id: string }[], wanted: string): string | undefined {
  const ids = projects.map(({ id }) => id)
  return [wanted, INITIAL_PROJECT].find((one) => ids.includes(one)) ?? ids[0]
}
