import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Notice } from '../../ui/page/problem.tsx'
import ui from '../../ui/ui.module.css'
import { useIsProjectMissing } from './use-is-project-missing.ts'
import { useVisibleProjects } from './use-visible-projects.ts'

/**
 * Page of a project. Shows a notice with links if the project does not exist, or with a contact hint if the user cannot
 * see any project.
 */
export function ProjectBoundary({ project, children }: { project: string; children: ReactNode }) {
  const t = useTexts()
  const all = useVisibleProjects()
  const isGone = useIsProjectMissing(project)
  if (all?.length === 0 && isGone) return <NoProjectNotice />
  if (!isGone) return children
  return (
    <MissingPage title={t.errors.noProject(project)} text={t.errors.noProjectText}>
      <Link to="/projects" className={ui.link ?? ''}>
        {t.errors.toProjects}
      </Link>
    </MissingPage>
  )
}

/** Page for a user who cannot see any project. */
export function NoProjectNotice() {
  const t = useTexts()
  return (
    <Notice isPage title={t.errors.noProjects}>
      {t.errors.noProjectsText}
    </Notice>
  )
}

/** Page that is shown if a resource does not exist. The children are links to other pages. */
export function MissingPage({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const t = useTexts()
  return (
    <Page title={title}>
      <Text c="dimmed" mb="md">
        {text ?? t.errors.notFoundText}
      </Text>
      {children}
    </Page>
  )
}
