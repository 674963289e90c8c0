import type { User } from '@burgee/protocol/access'
import { Button, Group, type MantineColorScheme, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fetchProfile } from '../api/me.ts'
import { PROJECTS } from '../api/queries.ts'
import { useMe } from '../shell/session/session.tsx'
import { useLogout } from '../shell/session/use-logout.ts'
import { LANGUAGES, type Language } from '../text/languages.ts'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue, useLanguage, useTexts } from '../text/texts.tsx'
import { DefinitionList } from '../ui/page/definition-list.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { Section } from '../ui/page/section.tsx'
import { COLOR_SCHEMES } from '../ui/style/theme.ts'
import { setHighContrast, useHighContrast } from '../ui/style/theme-contrast.ts'
import { useColorScheme } from '../ui/style/use-color-scheme.ts'
import ui from '../ui/ui.module.css'
import { EmailDialog } from './own-email.tsx'
import { NameDialog } from './own-name.tsx'
import { OwnSessionsSection } from './own-sessions.tsx'
import { PersonalTokens } from './personal-tokens.tsx'
import { PresenceSection } from './presence-choice.tsx'
import { PROFILE_TEXTS } from './texts.ts'

/** Page of the user's own account: identity, appearance, password, sessions and tokens. */
export function ProfilePage() {
  const t = useCatalogue(PROFILE_TEXTS)
  return (
    <Page title={t.profile.title}>
      <Stack gap="lg">
        <Identity />
        <Appearance />
        <PresenceSection />
        <AccessSection />
        <OwnSessionsSection />
        <PersonalTokens />
      </Stack>
    </Page>
  )
}

function Identity() {
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const { person, roles } = useCatalogue(PEOPLE_TEXTS)
  const user = useMe()?.user as Partial<User> | undefined
  const answer = useQuery({ queryKey: ['profile'], queryFn: fetchProfile })
  const { data: projects = [] } = useQuery(PROJECTS)
  const [open, setOpen] = useState<'name' | 'email'>()
  const close = () => setOpen(undefined)
  const change = answer.data?.emailChange
  const takesPassword = change === 'password'
  return (
    <Section
      title={own.who}
      actions={
        <Group gap="xs">
          <Button variant="default" onClick={() => setOpen('name')}>
            {own.rename}
          </Button>
          {(takesPassword || change === 'session') && (
            <Button variant="default" onClick={() => setOpen('email')}>
              {own.changeEmail}
            </Button>
          )}
        </Group>
      }
    >
      <NameDialog opened={open === 'name'} name={user?.name ?? ''} close={close} />
      <EmailDialog opened={open === 'email'} email={user?.email ?? ''} takesPassword={takesPassword} close={close} />
      <Loaded answer={answer}>
        {({ rootRole, projects: mine }) => (
          <DefinitionList
            facts={[
              [person.fullName, user?.name ?? '–'],
              [person.username, user?.username ?? '–'],
              [person.email, <Email key="email" email={user?.email} hint={own.emailFrom[change ?? '']} />],
              [own.role, `${roles[rootRole.id]?.name ?? rootRole.name}: ${roles[rootRole.id]?.text ?? ''}`],
              [
                own.projects,
                mine.length === 0 ? (
                  own.noProjects
                ) : (
                  <Group key="projects" gap="sm">
                    {mine.map((project) => (
                      <Link key={project} to="/projects/$project" params={{ project }} className={ui.link ?? ''}>
                        {projects.find(({ id }) => id === project)?.name ?? project}
                      </Link>
                    ))}
                  </Group>
                ),
              ],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

/** E-mail address, with a hint if it is managed elsewhere. */
function Email({ email, hint }: { email: string | undefined; hint: string | undefined }) {
  return (
    <>
      {email ?? '–'}
      {hint !== undefined && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
    </>
  )
}

function Appearance() {
  const t = useTexts()
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const { colorScheme, setColorScheme } = useColorScheme()
  const { language, choose } = useLanguage()
  const isHigh = useHighContrast()
  return (
    <Section title={own.look}>
      <Stack align="start">
        <div>
          <Text size="sm" fw={500} id="theme">
            {t.nav.theme}
          </Text>
          <SegmentedControl
            mt={4}
            aria-labelledby="theme"
            data={COLOR_SCHEMES.map((value) => ({ value, label: t.nav[value] }))}
            value={colorScheme}
            onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
          />
        </div>
        <Switch
          label={own.contrast}
          description={own.contrastHint}
          checked={isHigh}
          onChange={(event) => setHighContrast(event.currentTarget.checked)}
        />
        <Select
          label={t.nav.language}
          data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
          value={language}
          onChange={(value) => choose(value as Language)}
        />
      </Stack>
    </Section>
  )
}

function AccessSection() {
  const t = useTexts()
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const navigate = useNavigate()
  const logOut = useLogout()
  return (
    <Section title={own.access}>
      <Group>
        <Button variant="default" onClick={() => void navigate({ to: '/password' })}>
          {t.login.changeOwn}
        </Button>
        <Button variant="default" onClick={() => void logOut()}>
          {own.logoutEverywhere}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        {own.logoutText}
      </Text>
    </Section>
  )
}
