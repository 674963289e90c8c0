import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'

const STORED = 'burgee-project'

/** The project of the address; elsewhere the one that was looked at last. */
export function useProject(): string {
  const { project } = useParams({ strict: false })
  useEffect(() => {
    if (project !== undefined) localStorage.setItem(STORED, project)
  }, [project])
  return project ?? lastProject()
}

/** The project that was looked at last. */
export const lastProject = (): string => localStorage.getItem(STORED) ?? 'default'

/** Forgets a project that is gone, so that nothing leads back to it. */
export function leaveProject(project: string): void {
  if (localStorage.getItem(STORED) === project) localStorage.removeItem(STORED)
}
