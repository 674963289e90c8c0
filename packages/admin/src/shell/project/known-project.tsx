import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { ApiError } from '../../api/http.ts'
import { projectOverview } from '../../api/project-settings.ts'
import { PROJECTS } from '../../api/queries.ts'
import { useTexts } from '../../text/texts.tsx'
import { useIdleOnce } from '../../ui/loading/use-idle-once.ts'
import { Page } from '../../ui/page/page.tsx'
import ui from '../../ui/ui.module.css'
import { leaveProject } from './last-project.ts'

const NOT_FOUND = 404

/** Whether an error says that there is no such thing. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === NOT_FOUND

/** A page of a project; where there is no such project, it says so and shows the way to the others. */
export function KnownProject({ project, children }: { project: string; children: ReactNode }) {
  const t = useTexts()
  const { data: all } = useQuery({ ...PROJECTS, enabled: useIdleOnce() })
  // the list may be some seconds old, and leaves out those that are archived
  const isUnlisted = all?.every(({ id }) => id !== project) === true
  const { error } = useQuery({
    queryKey: ['project', project],
    queryFn: () => projectOverview(project),
    enabled: isUnlisted,
  })
  const isGone = isUnlisted && isMissing(error)
  useEffect(() => {
    if (isGone) leaveProject(project)
  }, [isGone, project])
  if (!isGone) return children
  return (
    <MissingPage title={t.errors.noProject(project)}>
      <Link to="/projects" className={ui.link ?? ''}>
        {t.errors.toProjects}
      </Link>
    </MissingPage>
  )
}

/** A page in place of one of something that is not there; the children are the way back. */
export function MissingPage({ title, children }: { title: string; children: ReactNode }) {
  const t = useTexts()
  return (
    <Page title={title}>
      <Text c="dimmed" mb="md">
        {t.errors.notFoundText}
      </Text>
      {children}
    </Page>
  )
}
