import { useLocation, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { lastProject, projectAmong, rememberProject } from './last-project.ts'
import { useIsGone } from './use-is-gone.ts'
import { useSeenProjects } from './use-seen-projects.ts'

/** Pages of one project whose address names it behind the question mark; elsewhere that is a filter. */
const NAMED_BEHIND = /^\/(stale|connect)\/?$/
const ALL = '*'

/**
 * The project of the address; elsewhere the one that was looked at last. Once it is known which ones the person sees it is
 * one of those, if there are any.
 */
export function useProject(): string {
  const named = useNamedProject()
  const all = useSeenProjects()
  const wanted = named ?? lastProject()
  // one that is archived is not in the list, and is there where its address is open
  const isGone = useIsGone(named ?? '')
  const isHere = all === undefined || (named !== undefined && !isGone)
  const project = isHere ? wanted : (projectAmong(all, wanted) ?? wanted)
  useEffect(() => {
    rememberProject(project)
  }, [project])
  return project
}

function useNamedProject(): string | undefined {
  const { project } = useParams({ strict: false })
  const behind = useSearch({ strict: false, select: projectOf })
  const pathname = useLocation({ select: (location) => location.pathname })
  if (project !== undefined || !NAMED_BEHIND.test(pathname)) return project
  return behind === ALL ? undefined : behind
}

const projectOf = ({ project }: { readonly project?: unknown }): string | undefined =>
  typeof project === 'string' ? project : undefined
