import { NoProjectNotice } from '../shell/project/project-boundary.tsx'
import { useVisibleProjects } from '../shell/project/use-visible-projects.ts'
import { useTexts } from '../text/texts.tsx'
import { Page } from '../ui/page/page.tsx'
import { CleanUpSection } from './clean-up-section.tsx'
import { DraftSection } from './draft-section.tsx'
import { FollowedSection } from './followed-section.tsx'
import styles from './home.module.css'
import { InboxSection } from './inbox-section.tsx'
import { RecentSection } from './recent-section.tsx'

/** Start page: tasks that await the user in all projects, drafts, recent flags, and followed flags that changed. */
export function HomePage() {
  const t = useTexts()
  const projects = useVisibleProjects()
  if (projects?.length === 0) return <NoProjectNotice />
  return (
    <Page title={t.nav.home}>
      <div className={styles.home}>
        <InboxSection />
        <DraftSection />
        <div className={styles.columns}>
          <RecentSection />
          <FollowedSection />
          <CleanUpSection />
        </div>
      </div>
    </Page>
  )
}
