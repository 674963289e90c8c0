import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { lastProject, rememberProject } from './last-project.ts'

/** The project of the address; elsewhere the one that was looked at last. */
export function useProject(): string {
  const { project } = useParams({ strict: false })
  useEffect(() => {
    if (project !== undefined) rememberProject(project)
  }, [project])
  return project ?? lastProject()
}
