const STORAGE_KEY = 'burgee-project'
/** Id of the project that every new installation contains. */
const INITIAL_PROJECT = 'default'

/** Returns the last viewed project; undefined in a new browser. The user may no longer be able to see that project. */
export const findLastProject = (): string | undefined => localStorage.getItem(STORAGE_KEY) ?? undefined

/** Returns the last viewed project or, in a new browser, the project that every installation contains initially. */
export const readLastProject = (): string => findLastProject() ?? INITIAL_PROJECT

/** Remembers which project was viewed last. */
export const storeLastProject = (project: string): void => localStorage.setItem(STORAGE_KEY, project)

/** Forgets the last viewed project if it is the one that was removed, so that nothing links to it. */
export function clearLastProject(project: string): void {
  if (localStorage.getItem(STORAGE_KEY) === project) localStorage.removeItem(STORAGE_KEY)
}

/** Project that can be selected. */
interface Candidate {
  readonly id: string
  readonly favorite: boolean
  readonly featureCount: number
}

/**
 * Returns the project to show: the requested project or, in this order of preference, a favorite, a project in which
 * the user has a role, or any other project. Among several candidates, returns the project with the most flags. Returns
 * undefined if there is no project.
 */
export function selectProject(
  projects: readonly Candidate[],
  wanted: string | undefined,
  hasRole: (project: string) => boolean,
): string | undefined {
  if (projects.some(({ id }) => id === wanted)) return wanted
  const favorites = projects.filter(({ favorite }) => favorite)
  const own = projects.filter(({ id }) => hasRole(id))
  const choice = [favorites, own, projects].find((some) => some.length > 0) ?? []
  return choice.reduce<Candidate | undefined>(
    (best, one) => (best === undefined || one.featureCount > best.featureCount ? one : best),
    undefined,
  )?.id
}
