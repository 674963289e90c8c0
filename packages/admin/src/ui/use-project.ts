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
