const STORED = 'burgee-project'

/** The project that was looked at last. */
export const lastProject = (): string => localStorage.getItem(STORED) ?? 'default'

/** Somebody looks at a project. */
export const rememberProject = (project: string): void => localStorage.setItem(STORED, project)

/** Forgets a project that is gone, so that nothing leads back to it. */
export function leaveProject(project: string): void {
  if (localStorage.getItem(STORED) === project) localStorage.removeItem(STORED)
}
